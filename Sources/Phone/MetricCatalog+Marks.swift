extension MetricCatalog {
    /// What validations look at besides.
    static let marks: [Metric] = [
        Metric("display_energy_share", "1", .neutral, "energy of the display over all energy"),
        Metric(
            "screen_off_energy_share", "1", .lower,
            "share of what the battery gave at its terminals that it gave while the display was off"),
        Metric(
            "screen_off_energy_wh_per_day", "Wh/d", .lower,
            "energy that the battery gave at its terminals while the display was off"),
        Metric(
            "network_energy_wh_per_day", "Wh/d", .lower, "energy of both radios, their standby not counted"),
        Metric("network_j_per_refresh", "J", .lower, "energy of both radios above standby over refreshes that ran"),
        Metric(
            "background_network_share", "1", .lower,
            "share of it for background work, pushes and transfers, with the tails that follow them"),
        Metric(
            "screen_off_apps_share", "1", .lower,
            "the part of screen_off_energy_share beyond the floor, paging and standby: apps and services"),
        Metric(
            "energy_imbalance", "1", .lower,
            "largest relative error of the books: ledger against terminals and adapter, cell against its terminals"),
    ]
}
