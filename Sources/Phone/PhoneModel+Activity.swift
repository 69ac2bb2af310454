import EventKernel
import Glibc
import Power
import Quantities
import RandomStreams
import Vocabulary
import Workload

/// An app that goes on in the background: music, or a map that leads the way.
struct Continuing {
    var app = AppID.system
    var activity = ActivityClass.music
    var loads = ActivityLoads.none
    var processor = LoadHandle.none
    var until = SimTime.zero
}

/// What the app in front puts on the parts of the phone, and what goes on after it is left.
extension PhoneModel {
    /// The display shows an app, with the picture level that is usual for it.
    mutating func showDisplay(for app: AppID, at now: SimTime) {
        let activity = app == .system ? ActivityClass.general : apps[Int(app.index)].activity
        let parameters = device.power.activities[activity]
        let level = device.habits.darkMode ? parameters.darkPictureLevel : parameters.pictureLevel
        power.setDisplay(on: true, brightness: brightness, pictureLevel: level, app: app, at: now)
    }

    /// The app in front is active: the parts it needs run, and sound of its own ends playback in the background.
    mutating func startActivity(_ app: AppID, in engine: inout PhoneEngine) {
        let activity = apps[Int(app.index)].activity
        if !continuing.isEmpty, device.power.activities[activity].takesAudio {
            for each in continuing where each.app != app && each.activity == .music {
                engine.schedule(Slots.app(each.app, .lifeCycle), at: engine.now, class: EventClass.lifeCycle)
            }
        }
        power.stopActivity(frontLoads, at: engine.now)
        conditions.cameraOn = device.power.activities[activity].camera > 0
        frontLoads = power.startActivity(activity, app: app, cause: .foreground, at: engine.now)
    }

    /// The app in front is left: its parts rest.
    mutating func stopActivity(at now: SimTime) {
        power.stopActivity(frontLoads, at: now)
        frontLoads = .none
        guard conditions.cameraOn else { return }
        conditions.cameraOn = false
        raised.insert(.cameraStopped)
    }

    /// How long an app goes on after it was left; drawn at every open, so that all policies see the same.
    ///
    /// In the long run it adds up to the persona's time a day, however often the app is opened.
    mutating func drawPlayback(_ index: Int, at now: SimTime) {
        let activity = apps[index].activity
        guard device.power.activities[activity].continues else { return }
        let background = specification.persona.background
        let perDay = activity == .music ? background.audioPerDay : background.navigationPerDay
        let place = activity == .music ? 0 : 1
        let mean = perDay.seconds * ((now - lastPlayback[place]) / .day)
        let draw = visitStreams[index].exponential(mean: 1)
        lastPlayback[place] = now
        // Who listens all day never stops.
        runtime[index].playback = perDay >= .day ? .days(30) : min(.seconds(mean * draw), .hours(4))
    }

    /// Whether the app goes on in the background now that it is left; it keeps its process running for so long.
    mutating func continueInBackground(_ app: AppID, in engine: inout PhoneEngine) -> Bool {
        let index = Int(app.index)
        let now = engine.now
        let length = runtime[index].playback
        guard length >= .minutes(1), !power.isDead else { return false }
        runtime[index].playback = .zero
        let activity = apps[index].activity
        var session = Continuing()
        session.app = app
        session.activity = activity
        session.until = now + length
        session.loads = power.startActivity(activity, inBackground: true, app: app, cause: .playback, at: now)
        if !device.power.activities[activity].sleepsInBackground {
            // It works out where it is: an efficiency core for a part of the time, and the phone awake.
            session.processor = power.startLoad(
                .processor, power.processor.workPower * Self.navigationShare, app: app, cause: .playback, at: now)
            keepAwake(app, at: now)
        }
        continuing.append(session)
        if activity == .music { agenda.add(.musicPiece, app, at: now) }
        engine.schedule(Slots.app(app, .lifeCycle), after: length, class: EventClass.lifeCycle)
        return true
    }

    /// Share of a core that navigation in the background keeps busy; assumption.
    private static var navigationShare: Double { 0.1 }

    /// What a network gives of its usual rate: log-normal with the usual rate as its median, at most twice and at least
    /// a fifth, so that what streams at 4 Mbit/s still does.
    func rateFactor(_ normal: Double) -> Double {
        min(max(exp(device.habits.rateSigma * normal), 0.2), 2)
    }

    /// Until when an app goes on in the background; nil when it does not.
    func continuesUntil(_ app: AppID) -> SimTime? {
        continuing.isEmpty ? nil : continuing.first { $0.app == app }?.until
    }

    /// What an app did in the background is over: its time is up, it comes to the front, or its process ends.
    mutating func endContinuing(_ app: AppID, at now: SimTime) {
        guard let place = continuing.firstIndex(where: { $0.app == app }) else { return }
        power.stopActivity(continuing[place].loads, at: now)
        power.stopLoad(continuing[place].processor, at: now)
        continuing.remove(at: place)
    }
}
