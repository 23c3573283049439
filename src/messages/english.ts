/** Written by `npm run docs` from en.json: the English sentences, and what each takes. `Value` is what a name or text can be. */
export interface Parameters<Value> {
  'display.bad_name': { display: Value };
  'display.cannot_open': { display: Value; why: Value };
  'display.closed': Record<never, never>;
  'display.gone': { display: Value; why: Value };
  'display.in_memory': Record<never, never>;
  'display.no_backend': { platform: Value };
  'display.no_xtest': { display: Value };
  'display.none': Record<never, never>;
  'display.not_set': Record<never, never>;
  'display.packages_missing': { command: Value; packages: Value };
  'display.simulated_closed': Record<never, never>;
  'display.simulated_gone': { why: Value };
  'display.simulated_until': { reason: Value };
  'display.two_reasons': { first: Value; second: Value };
  'display.unusable': { display: Value; why: Value };
  'display.virtual_stands_in': { reason: Value };
  'display.wayland': Record<never, never>;
  'display.wayland_uncontrolled': Record<never, never>;
  'doctor.all_programs': Record<never, never>;
  'doctor.folder_failed': { folder: Value; why: Value };
  'doctor.host_details': { backend: Value; display: Value; url: Value; version: Value };
  'doctor.host_running': { url: Value };
  'doctor.host_starts': Record<never, never>;
  'doctor.host_stopped': Record<never, never>;
  'doctor.install': Record<never, never>;
  'doctor.make_writable': { folder: Value };
  'doctor.missing_programs': { programs: Value };
  'doctor.no_display': Record<never, never>;
  'doctor.wayland_only': Record<never, never>;
  'doctor.x11': { display: Value };
  'grant.always.means': { agent: Value; place: Value; program: Value; scope: 'site' | 'other' };
  'grant.choice': { agent: Value; effect: 'disclose' | 'pointer' | 'other'; length: 'time' | 'session' | 'other'; scope: 'site' | 'other' };
  'grant.given': { agent: Value; effect: 'disclose' | 'pointer' | 'other'; length: 'time' | 'session' | 'other'; place: Value };
  'grant.once': Record<never, never>;
  'grant.once.means': Record<never, never>;
  'grant.remembered': { agent: Value };
  'grant.remembered.means': { agent: Value; app: Value; what: 'screen' | 'area' | 'titles' | 'app' | 'kind' | 'other' };
  'grant.session.means': { agent: Value; place: Value; scope: 'site' | 'other' };
  'grant.time.means': { place: Value; scope: 'site' | 'other' };
  'health.check_display': Record<never, never>;
  'health.free_hotkey': Record<never, never>;
  'health.grant_in_settings': { permission: Value };
  'health.hotkey_taken': { keys: Value };
  'health.permission': { permission: Value; state: 'missing' | 'stale' | 'other' };
  'health.refuse_synthetic_input': Record<never, never>;
  'health.run_doctor': Record<never, never>;
  'health.start_again': Record<never, never>;
  'health.synthetic_input': Record<never, never>;
  'note.button_stays_down': Record<never, never>;
  'note.clipboard_lost': Record<never, never>;
  'note.covered_by': { window: Value };
  'note.covered_by_popup': { app: Value };
  'note.drags_to': { end: Value; window: Value };
  'note.drags_to_desktop': { window: Value };
  'note.empties': Record<never, never>;
  'note.ended_after': { seconds: Value };
  'note.ends_application': Record<never, never>;
  'note.ends_over': { window: Value };
  'note.ends_over_desktop': Record<never, never>;
  'note.goes_on_between_calls': Record<never, never>;
  'note.goes_to_focus': Record<never, never>;
  'note.goes_to_point': Record<never, never>;
  'note.has_consequences': Record<never, never>;
  'note.held_for': { seconds: Value };
  'note.left_running': Record<never, never>;
  'note.link_asked_by': { folder: Value; pid: Value; program: Value };
  'note.no_name': Record<never, never>;
  'note.not_installed': Record<never, never>;
  'note.opened_by': { pid: Value; program: Value };
  'note.opener_unknown': Record<never, never>;
  'note.others_wait': Record<never, never>;
  'note.outside_sandbox': Record<never, never>;
  'note.paired_page_can': Record<never, never>;
  'note.password_not_kept': { length: Value };
  'note.reaches_desktop': Record<never, never>;
  'note.read_from_picture': Record<never, never>;
  'note.reads_controls_in_it': Record<never, never>;
  'note.reads_its_controls': Record<never, never>;
  'note.recorded_by': { agent: Value; day: Value; program: Value };
  'note.replaces': Record<never, never>;
  'note.scrolls_first': Record<never, never>;
  'note.so_already': Record<never, never>;
  'note.stays_behind': Record<never, never>;
  'note.still_held': { what: Value };
  'note.stops_at_failure': Record<never, never>;
  'note.stops_at_no_change': Record<never, never>;
  'note.through_clipboard': Record<never, never>;
  'note.to_point': { x: Value; y: Value };
  'note.to_size': { height: Value; width: Value };
  'permission.accessibility': Record<never, never>;
  'permission.screen_recording': Record<never, never>;
  'policy.unattended_warning': Record<never, never>;
  'record.before_deletion': { what: Value };
  'record.breaks': { at: Value; breaks: Value; line: Value };
  'record.cut_off': { at: Value; bytes: Value; line: Value };
  'record.exchanged': { line: Value };
  'record.file_edited': { path: Value };
  'record.file_foreign': { path: Value };
  'record.file_link': { path: Value };
  'record.file_missing': { path: Value };
  'record.file_unreadable': { path: Value; why: Value };
  'record.folder_unreadable': { path: Value; why: Value };
  'record.head_missing': Record<never, never>;
  'record.head_unreadable': Record<never, never>;
  'record.head_was_missing': { at: Value; line: Value };
  'record.line_edited': { line: Value };
  'record.line_unreadable': { line: Value };
  'record.lines_ahead': { lines: Value };
  'record.lines_missing': { lines: Value; missing: Value };
  'record.not_a_line': { line: Value };
  'record.not_counted': { at: Value; line: Value; lines: Value };
  'record.not_in_log': { path: Value };
  'record.not_plain_file': { path: Value };
  'record.other_line_in_head': { line: Value };
  'record.torn': { bytes: Value };
  'record.unknown_kind': { line: Value };
  'record.were_missing': { at: Value; line: Value; lines: Value };
  'record.wrong_number': { due: Value; line: Value; number: Value };
  'verbatim': { text: Value };
}

export const english: Readonly<Record<keyof Parameters<unknown>, string>> = {
  'display.bad_name': '“{display}” is no X display name, such as :0. Log in to an X11 session, or start the host with --display virtual.',
  'display.cannot_open': 'Cannot open the X display {display}: {why}. Check DISPLAY and XAUTHORITY, or use --display virtual.',
  'display.closed': 'The desktop backend has been closed. Open it again.',
  'display.gone': 'The X display {display} is gone ({why}). Start a display and the host again.',
  'display.in_memory': 'in memory',
  'display.no_backend': 'There is no backend for {platform} yet, so this is a simulated desktop.',
  'display.no_xtest': 'The X server of {display} has no XTEST extension.',
  'display.none': 'No display is at hand (DISPLAY is not set).',
  'display.not_set': 'There is no display (DISPLAY is not set). Log in to an X11 session, or start the host with --display virtual.',
  'display.packages_missing': 'A virtual desktop needs packages that are not installed: {packages}. On Debian or Ubuntu run: {command}',
  'display.simulated_closed': 'The simulated desktop was closed.',
  'display.simulated_gone': 'The simulated desktop is gone: {why}. Start Chaperone again.',
  'display.simulated_until': '{reason} Until then this is a simulated desktop: nothing on it is real.',
  'display.two_reasons': '{first} {second}',
  'display.unusable': 'The display {display} cannot be used: {why}',
  'display.virtual_stands_in': '{reason} A private virtual desktop stands in for it.',
  'display.wayland': 'This is a Wayland session. Log in to an X11 session, or use --display virtual.',
  'display.wayland_uncontrolled': 'This is a Wayland session, which gives no program control of others. Log in to an X11 session, or start the host with --display virtual.',
  'doctor.all_programs': 'all programs present',
  'doctor.folder_failed': '{folder}: {why}',
  'doctor.host_details': 'running at {url}: {version} on {backend}, {display}',
  'doctor.host_running': 'running at {url}',
  'doctor.host_starts': 'An agent starts it, or run `chaperone host`.',
  'doctor.host_stopped': 'not running',
  'doctor.install': 'Install what is missing:',
  'doctor.make_writable': 'Make {folder} writable for you, or set CHAPERONE_HOME to a folder that is.',
  'doctor.missing_programs': 'missing: {programs}',
  'doctor.no_display': 'none at hand: a private virtual desktop stands in for it',
  'doctor.wayland_only': 'Wayland only, which cannot be controlled yet: a private virtual desktop stands in for it',
  'doctor.x11': 'X11 at {display}',
  'grant.always.means': 'Allow lasts {scope, select, site {on} other {in}} {place} for every {agent} ({program}) until you remove it in Settings.',
  'grant.choice': '{scope, select, site {This site} other {This app}}, {effect, select, disclose {what it shows} pointer {pointer and windows} other {clicks and typing}}, {length, select, time {10 minutes} session {until {agent} quits} other {always}}',
  'grant.given': '{agent} in {place}: {effect, select, disclose {what it shows} pointer {pointer and windows} other {clicks and typing}}, {length, select, time {10 minutes} session {until {agent} quits} other {always}}',
  'grant.once': 'Only this time',
  'grant.once.means': 'Allow acts once.',
  'grant.remembered': 'From now until {agent} quits',
  'grant.remembered.means': 'Allow covers {what, select, screen {everything on your screen} area {this part of the screen} titles {the names of applications and the titles of windows} app {everything {app} shows} kind {requests of this kind} other {this}} until {agent} quits.',
  'grant.session.means': 'Allow lasts {scope, select, site {on} other {in}} {place} until {agent} quits, 12 hours at most.',
  'grant.time.means': 'Allow gives 10 minutes {scope, select, site {on} other {in}} {place}.',
  'health.check_display': 'Check that the display and the accessibility bus (at-spi2-core) are running, then start Chaperone again.',
  'health.free_hotkey': 'Another program may hold it. Free it there and start Chaperone again; until then use Stop in the menu bar.',
  'health.grant_in_settings': 'System Settings → Privacy & Security → {permission}: switch Chaperone on; if it is on already, remove it and add it again.',
  'health.hotkey_taken': 'The hotkey {keys} does not stop agents: it could not be registered',
  'health.permission': '{permission} is {state, select, missing {missing} stale {stale} other {unknown}}',
  'health.refuse_synthetic_input': 'That is for VNC and on-screen keyboards. Start Chaperone without --accept-synthetic-input to refuse it.',
  'health.run_doctor': 'Run `chaperone doctor` for details.',
  'health.start_again': 'End Chaperone and start it again.',
  'health.synthetic_input': 'Other programs’ synthetic input may press Allow',
  'note.button_stays_down': 'The button stays down, 30 s at most. Moving in that window and letting go are allowed with it.',
  'note.clipboard_lost': 'What is on the clipboard now is lost.',
  'note.covered_by': 'Covered by “{window}”.',
  'note.covered_by_popup': 'Covered by a popup of {app}.',
  'note.drags_to': 'Drags from “{window}” to “{end}”.',
  'note.drags_to_desktop': 'Drags from “{window}” to the bare desktop.',
  'note.empties': 'Empties it.',
  'note.ended_after': 'It is ended after {seconds} s.',
  'note.ends_application': 'Ends the whole application at once. Unsaved work in all of its windows is lost.',
  'note.ends_over': 'Ends over “{window}”.',
  'note.ends_over_desktop': 'Ends over the bare desktop.',
  'note.goes_on_between_calls': 'It goes on between calls, until it is cancelled or 30 minutes after its events were last asked for.',
  'note.goes_to_focus': 'Goes to whatever has the focus in this window then.',
  'note.goes_to_point': 'Goes to whatever shows at this point of the window then.',
  'note.has_consequences': 'This cannot be undone, or it reaches other people.',
  'note.held_for': 'Held down for {seconds} s.',
  'note.left_running': 'What it leaves behind goes on running; you can end it on Home.',
  'note.link_asked_by': 'The link was asked for by {program}, process {pid}, in {folder}.',
  'note.no_name': 'No name can be read here: look at the picture.',
  'note.not_installed': 'No installed application says what this program is.',
  'note.opened_by': 'It was opened by {program}, process {pid}.',
  'note.opener_unknown': 'The system does not tell which program opened it.',
  'note.others_wait': 'Other agents wait meanwhile.',
  'note.outside_sandbox': 'It runs as you, outside any sandbox.',
  'note.paired_page_can': 'A paired page can allow everything that agents ask for. Allow this only if you have just opened a pairing link yourself.',
  'note.password_not_kept': 'The text ({length} characters) goes into a password field and is not kept.',
  'note.reaches_desktop': 'It can reach your desktop: the display and the session bus.',
  'note.read_from_picture': 'The text was read from the picture: look at what is outlined.',
  'note.reads_controls_in_it': 'Reads the names of the controls in it too.',
  'note.reads_its_controls': 'Reads the names of its controls too.',
  'note.recorded_by': 'Recorded by {agent} ({program}), {day}.',
  'note.replaces': 'Replaces what is there.',
  'note.scrolls_first': 'Out of view: this scrolls to it first.',
  'note.so_already': 'It is so already.',
  'note.stays_behind': 'Stays behind what is in front.',
  'note.still_held': 'Still held down meanwhile: {what}.',
  'note.stops_at_failure': 'Stops at the first step that fails.',
  'note.stops_at_no_change': 'Stops at the first step that fails or changes nothing.',
  'note.through_clipboard': 'Goes through the clipboard, which is given back afterwards.',
  'note.to_point': 'To ({x}, {y}).',
  'note.to_size': 'To {width}×{height}.',
  'permission.accessibility': 'Accessibility',
  'permission.screen_recording': 'Screen Recording',
  'policy.unattended_warning': 'WARNING: the policy is unattended. Agents do everything on this desktop without asking; `chaperone stop` pauses them.',
  'record.before_deletion': 'before it was deleted on schedule: {what}',
  'record.breaks': '{breaks} breaks in the lines before, found at line {line} ({at})',
  'record.cut_off': 'line {line}: an unfinished line of {bytes} bytes was cut off after a stop ({at})',
  'record.exchanged': 'line {line} does not follow the line before it: one of them was exchanged',
  'record.file_edited': '{path} was edited',
  'record.file_foreign': '{path} was not written by Chaperone',
  'record.file_link': '{path} was replaced by a link',
  'record.file_missing': '{path} is missing',
  'record.file_unreadable': '{path} cannot be read ({why})',
  'record.folder_unreadable': '{path} cannot be opened as the folder it was ({why})',
  'record.head_missing': 'the saved head is missing: lines may have been cut off',
  'record.head_unreadable': 'the saved head cannot be read',
  'record.head_was_missing': 'the saved head was missing or not ours, found at line {line} ({at})',
  'record.line_edited': 'line {line} was edited: its bytes do not match its hash',
  'record.line_unreadable': 'line {line} of the audit log no longer reads as it was written',
  'record.lines_ahead': '{lines} lines follow the saved head: Chaperone was stopped while writing, or they were added',
  'record.lines_missing': '{missing} of {lines} lines are missing',
  'record.not_a_line': 'line {line} is not a line of the audit log',
  'record.not_counted': 'line {line}: {lines} lines had been written and not yet counted when Chaperone stopped ({at})',
  'record.not_in_log': '{path} is in no line of the audit log',
  'record.not_plain_file': '{path} is no longer a plain file',
  'record.other_line_in_head': 'line {line} is not the one the saved head names',
  'record.torn': 'the last line is unfinished ({bytes} bytes): Chaperone was stopped while writing, or it was cut',
  'record.unknown_kind': 'line {line} is of no known kind',
  'record.were_missing': '{lines} lines were missing, found at line {line} ({at})',
  'record.wrong_number': 'line {line} has number {number} where {due} was due: lines were removed, added or moved',
  'verbatim': '{text}',
};
