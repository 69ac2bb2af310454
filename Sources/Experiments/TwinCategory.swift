// SPDX-License-Identifier: GPL-3.0-or-later

/// Category of an app, guessed from its name; this assumption is shown in the written model.
enum TwinCategory {
    /// Parts of names by category, with the more specific ones first.
    ///
    /// Categories are those of the catalogue `everyday`.
    private static let parts: [(category: String, words: [String])] = [
        ("camera", ["camera", "gcam"]), ("mail", ["mail", "outlook", ".gm", "k9"]),
        ("short-video", ["tiktok", "musically", "aweme", "kuaishou", "trill"]),
        (
            "video",
            [
                "youtube", "netflix", "bili", "video", "twitch", "vlc", "player", "disney", "hulu", "mxtech", "vod",
                "tv.",
            ]
        ),
        (
            "messaging",
            [
                "messag", "whatsapp", "telegram", "signal", "tencent.mm", "mobileqq", "viber", "mms", "sms", "discord",
                "line.",
                "chat", "threema", "orca", "groupme", "picaboo", "snapchat", "weixin", "teams", "slack",
            ]
        ),
        (
            "social-feed",
            ["facebook", "katana", "instagram", "twitter", "tweetie", "reddit", "weibo", "xhs", "linkedin", "tumblr"]
        ),
        (
            "browser",
            ["chrome", "browser", "firefox", "opera", "safari", "brave", "duckduckgo", "ucmobile", "sbrowser"]
        ),
        ("music", ["music", "spotify", "audio", "podcast", "radio", "soundcloud", "deezer"]),
        ("maps", ["maps", "navi", "waze", "minimap", "autonavi", "osmand"]),
        (
            "rich-game",
            ["jkchess", "pubg", "genshin", "tmgp", "unity", "roblox", "minecraft", "callofduty", "mihoyo", "sgame"]
        ),
        ("casual-game", ["game", "chess", "puzzle", "sudoku", "candy", "zynga", "king."]),
        ("photos", ["gallery", "photo", "slideshow"]), ("weather", ["weather"]),
        ("news", ["news", "feed", "guardian", "nytimes", "bbc"]), ("fitness", ["fit", "health", "strava", "run"]),
        ("finance", ["bank", "pay", "wallet", "venmo", "finance", "robinhood", "money"]),
        ("shopping", ["shop", "amazon", "taobao", "jingdong", "ebay", "vending", "store", "market"]),
        ("travel", ["travel", "uber", "airbnb", "booking", "rail", "flight", "didi"]),
        ("location", ["life360", "tracker", "locat"]),
    ]

    /// The category of an app.
    static func of(_ name: String) -> String {
        let name = name.lowercased() + "."
        return parts.first { $0.words.contains { name.contains($0) } }?.category ?? "utility"
    }
}
