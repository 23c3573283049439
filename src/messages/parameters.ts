/** Written by `npm run docs` from en.json: what each sentence takes that takes anything. `Value` is what a name or text can be. */
export type Parameters<Value> =
  & Record<'title.see_for', { act: Value; app: Value; tense: 'done' | 'other'; what: 'app' | 'titles' | 'other' }>
  & Record<'native.action_not_done', { action: Value }>
  & Record<'native.no_action', { action: Value; actions: Value; has: 'none' | 'other' }>
  & Record<'error.no_such_action', { action: Value; actions: Value; has: 'none' | 'other'; name: Value; role: Value }>
  & Record<'title.perform', { action: Value; target: Value; tense: 'done' | 'other'; to: 'name' | 'other'; where: Value }>
  & Record<'app.menu.task', { acts: number; agent: Value; minutes: number; purpose: Value; used: number }>
  & Record<'task.scope', { acts: number; apps: Value; effects: Value; minutes: number }>
  & Record<'cli.status.task', { acts: number; minutes: number; purpose: Value; used: number }>
  & Record<'page.task.left' | 'page.task.short', { acts: number; time: Value; used: number }>
  & Record<'cli.connect.start' | 'host.bound_elsewhere' | 'page.elsewhere.open_of', { address: Value }>
  & Record<'cli.connect.row', { address: Value; by: Value; known: 'yes' | 'other'; state: 'connected' | 'other'; told: 'yes' | 'other'; url: Value; waiting: number }>
  & Record<'cli.connect.page', { address: Value; command: Value; url: Value }>
  & Record<'host.http_port_unavailable' | 'host.port_unavailable' | 'host.tcp_port_unavailable', { address: Value; error: Value; port: Value; why: 'taken' | 'other' }>
  & Record<'remote.failed', { address: Value; ours: Value; output: Value; port: Value; said: 'yes' | 'other'; theirs: Value; why: 'no_ssh' | 'key_unknown' | 'key_changed' | 'login' | 'no_name' | 'unreachable' | 'forwarding' | 'port' | 'no_chaperone' | 'no_host' | 'no_token' | 'version' | 'untrusted' | 'other' }>
  & Record<'cli.connect.no_page', { address: Value; port: Value; url: Value }>
  & Record<'next.remote', { address: Value; why: 'no_ssh' | 'key_unknown' | 'key_changed' | 'login' | 'no_name' | 'unreachable' | 'forwarding' | 'port' | 'no_chaperone' | 'no_host' | 'no_token' | 'version' | 'untrusted' | 'other' }>
  & Record<'native.bus_address_unusable' | 'native.bus_silent', { address: Value; why: Value }>
  & Record<'app.alert.asks' | 'grant.early' | 'grant.remembered' | 'note.program_replaced' | 'page.agents.pause_one' | 'page.agents.paused_one' | 'page.agents.rename_label' | 'page.agents.resume_one' | 'page.agents.write_to' | 'page.card.agent_ended' | 'page.card.deny_message' | 'page.card.orphaned' | 'page.chat.asked' | 'page.chat.given' | 'page.chat.given_left' | 'page.chat.held' | 'page.chat.left_before' | 'page.chat.question_from' | 'page.chat.reply_to' | 'page.chat.to' | 'page.chat.unread' | 'page.chat.waits_for' | 'page.chat.working' | 'page.desktops.alt' | 'page.desktops.of' | 'page.desktops.taken' | 'page.elsewhere.by', { agent: Value }>
  & Record<'grant.remembered.means', { agent: Value; app: Value; what: 'screen' | 'area' | 'titles' | 'app' | 'kind' | 'other' }>
  & Record<'page.needs.next', { agent: Value; count: number }>
  & Record<'note.recorded_by', { agent: Value; day: Value; program: Value }>
  & Record<'grant.given', { agent: Value; effect: 'disclose' | 'pointer' | 'other'; files: 'yes' | 'other'; folder: Value; length: 'always' | 'time' | 'session' | 'other'; place: Value; scope: 'site' | 'other' }>
  & Record<'grant.always.means', { agent: Value; effect: 'disclose' | 'pointer' | 'other'; files: 'yes' | 'other'; folder: Value; place: Value; program: Value; scope: 'site' | 'other' }>
  & Record<'grant.session.means', { agent: Value; effect: 'disclose' | 'pointer' | 'other'; files: 'yes' | 'other'; folder: Value; place: Value; scope: 'site' | 'other' }>
  & Record<'page.settings.grant', { agent: Value; effect: 'disclose' | 'pointer' | 'other'; length: 'always' | 'session' | 'other'; place: Value; scope: 'site' | 'other'; time: Value }>
  & Record<'cli.approvals.card', { agent: Value; effect: Value; id: Value; time: Value; title: Value }>
  & Record<'rule.means', { agent: Value; folder: Value; length: 'time' | 'other'; start: Value; which: 'exact' | 'other' }>
  & Record<'rule.given', { agent: Value; folder: Value; sandbox: 'yes' | 'other'; start: Value; which: 'exact' | 'other' }>
  & Record<'grant.choice', { agent: Value; length: 'always' | 'time' | 'session' | 'other'; place: Value; scope: 'site' | 'other' }>
  & Record<'rule.choice', { agent: Value; length: 'time' | 'other'; start: Value; which: 'exact' | 'other' }>
  & Record<'page.commands.by', { agent: Value; processes: number; time: Value }>
  & Record<'grant.other_shim', { agent: Value; program: Value }>
  & Record<'page.task.of', { agent: Value; purpose: Value }>
  & Record<'page.chat.has', { agent: Value; time: Value }>
  & Record<'page.needs.announce', { agent: Value; what: Value; who: 'person' | 'other' }>
  & Record<'app.alert.wants', { agent: Value; who: 'person' | 'other' }>
  & Record<'note.asked_anyway', { allowed: 'disclose' | 'pointer' | 'other'; place: Value; scope: 'site' | 'other'; why: 'dangerous' | 'enter' | 'control' | 'beyond' | 'file' | 'folder' | 'hidden' | 'site' | 'kind' | 'other' }>
  & Record<'page.settings.habits.asked', { allowed: number; asked: number; days: number; share: number; unanswered: number }>
  & Record<'self_test.not_arrived', { any: 'yes' | 'other'; arrived: Value; sent: Value }>
  & Record<'apps.asked_already' | 'apps.not_acknowledged' | 'apps.not_confirmed' | 'apps.not_connected' | 'apps.not_running' | 'apps.runs_already' | 'apps.tool_changed' | 'apps.unusable_resource' | 'cover.popup' | 'demo.opening' | 'demo.using' | 'error.no_file_dialog' | 'error.no_window' | 'error.no_window_to_close' | 'error.no_window_to_type' | 'error.none_of_app_there' | 'error.not_a_browser' | 'error.popup_no_focus' | 'error.task_app_excluded' | 'error.task_app_never' | 'error.task_no_sites' | 'error.task_program_untold' | 'grant.no_always' | 'native.not_in_app' | 'note.covered_by_popup' | 'page.apps.log_of' | 'page.health.remove_entry' | 'page.health.switch_on' | 'page.task.starts' | 'policy.excludes' | 'title_part.in_app', { app: Value }>
  & Record<'title.drag', { app: Value; button: 'left' | 'middle' | 'right' | 'back' | 'forward' | 'other'; end: Value; in: 'app' | 'other'; keys: Value; target: Value; tense: 'done' | 'other'; to: 'name' | 'other' }>
  & Record<'error.several_file_dialogs', { app: Value; count: Value }>
  & Record<'apps.unknown', { app: Value; file: Value }>
  & Record<'title_part.at_point', { app: Value; in: 'app' | 'other'; point: Value }>
  & Record<'title.read_controls' | 'title.watch_controls', { app: Value; in: 'app' | 'other'; target: Value; tense: 'done' | 'other'; to: 'name' | 'other'; where: Value }>
  & Record<'cover.window_of', { app: Value; name: Value }>
  & Record<'page.health.drag', { app: Value; path: Value }>
  & Record<'health.grant_in_settings' | 'health.renew_in_settings', { app: Value; permission: Value }>
  & Record<'error.none_appeared_in' | 'error.starting_no_elements' | 'error.starting_no_window', { app: Value; seconds: Value }>
  & Record<'task.app_on_sites', { app: Value; sites: Value }>
  & Record<'title.force_quit' | 'title.open' | 'title.quit', { app: Value; target: Value; tense: 'done' | 'other'; to: 'name' | 'other' }>
  & Record<'apps.attention' | 'note.app_says', { app: Value; text: Value }>
  & Record<'error.other_window_there', { app: Value; title: Value }>
  & Record<'apps.no_such_tool', { app: Value; tool: Value }>
  & Record<'apps.failed' | 'apps.outcome_unknown' | 'apps.too_much', { app: Value; why: Value }>
  & Record<'error.no_automation', { application: Value; known: 'yes' | 'other' }>
  & Record<'health.automation', { application: Value; state: 'granted' | 'other' }>
  & Record<'note.script_controls', { applications: Value }>
  & Record<'error.input_in_the_way', { approved: Value; window: Value }>
  & Record<'note.sees_app' | 'title_part.shows', { apps: Value }>
  & Record<'cli.usage.missing_argument', { argument: Value }>
  & Record<'policy.invalid', { at: 'file' | 'other'; field: Value; name: Value; why: Value }>
  & Record<'error.outcome_unknown', { at: Value }>
  & Record<'record.breaks', { at: Value; breaks: Value; line: Value }>
  & Record<'answer.settled', { at: Value; by: Value; decision: 'allow' | 'other'; where: 'page' | 'popover' | 'other' }>
  & Record<'record.cut_off', { at: Value; bytes: Value; line: Value }>
  & Record<'answer.ended', { at: Value; how: 'timeout' | 'withdrawn' | 'paused' | 'other' }>
  & Record<'record.head_was_missing', { at: Value; line: Value }>
  & Record<'record.not_counted' | 'record.were_missing', { at: Value; line: Value; lines: Value }>
  & Record<'record.resumed', { at: Value; lines: Value }>
  & Record<'native.pointer_elsewhere', { at: Value; wanted: Value }>
  & Record<'doctor.host_details', { backend: Value; display: Value; url: Value; version: Value }>
  & Record<'native.colour_depth', { bits: Value }>
  & Record<'app.alert.paired_by' | 'page.settings.pairing.in_browser', { browser: Value }>
  & Record<'title.click', { button: 'left' | 'middle' | 'right' | 'back' | 'forward' | 'other'; count: number; keys: Value; target: Value; tense: 'done' | 'other'; to: 'name' | 'other'; where: Value }>
  & Record<'title.hold_button', { button: 'left' | 'middle' | 'right' | 'back' | 'forward' | 'other'; keys: Value; target: Value; tense: 'done' | 'other'; to: 'name' | 'other'; where: Value }>
  & Record<'error.button_not_held', { button: Value }>
  & Record<'answer.input', { by: 'agent' | 'program' | 'other' }>
  & Record<'page.settings.paired_at', { by: 'popover' | 'other'; time: Value }>
  & Record<'doctor.given_by', { by: Value }>
  & Record<'setup.no_command', { byHand: Value }>
  & Record<'setup.command_failed', { byHand: Value; command: Value; why: Value }>
  & Record<'setup.entry_missing', { byHand: Value; file: Value }>
  & Record<'setup.invalid_file' | 'setup.other_form' | 'setup.unwritable_file', { byHand: Value; file: Value; why: Value }>
  & Record<'record.torn', { bytes: Value }>
  & Record<'cli.self_test_linux_done', { cannot: Value; failed: Value; ok: Value }>
  & Record<'cli.cannot_write', { cause: 'full' | 'other'; why: Value }>
  & Record<'error.write_next', { cause: 'full' | 'quota' | 'file_size' | 'permission' | 'read_only' | 'files' | 'other' }>
  & Record<'error.write_cause', { cause: 'full' | 'quota' | 'file_size' | 'permission' | 'read_only' | 'other' }>
  & Record<'input.untypable' | 'native.layout_has_no' | 'native.secure_untypable' | 'native.untypable', { character: Value }>
  & Record<'page.card.whole', { characters: number; lines: number }>
  & Record<'demo.changed', { checked: 'yes' | 'other' }>
  & Record<'demo.moved', { checked: 'yes' | 'other'; place: Value }>
  & Record<'cli.help.choices', { choices: Value }>
  & Record<'cli.usage.not_a_choice', { choices: Value; option: Value; value: Value }>
  & Record<'title_part.held_keys', { chord: Value }>
  & Record<'title.type', { chord: Value; count: number; held: 'yes' | 'other'; target: Value; tense: 'done' | 'other'; to: 'name' | 'other'; where: Value }>
  & Record<'title.hold_keys' | 'title.press_keys', { chord: Value; target: Value; tense: 'done' | 'other'; to: 'name' | 'other'; where: Value }>
  & Record<'cli.apps.app', { claim: Value; confirmed: 'yes' | 'other'; known: 'yes' | 'other'; name: Value; place: Value; state: 'asking' | 'starting' | 'connected' | 'waiting' | 'other'; tools: number }>
  & Record<'cli.setup.absent' | 'cli.setup.added' | 'cli.setup.already' | 'cli.setup.removed' | 'cli.setup.updated' | 'setup.only_by_hand', { client: Value }>
  & Record<'cli.setup.next', { client: Value; command: Value }>
  & Record<'setup.by_hand.merge', { client: Value; file: Value }>
  & Record<'setup.no_scope', { client: Value; file: Value; scope: Value }>
  & Record<'cli.app.ended', { code: Value }>
  & Record<'display.protocol_error', { code: Value; object: Value; said: Value }>
  & Record<'setup.why.json_error', { column: Value; error: Value; line: Value }>
  & Record<'cli.gnome.next' | 'cli.help.local_command' | 'cli.setup.desktop_own' | 'cli.setup.desktop_current' | 'next.run_doctor' | 'next.run_host' | 'note.opened_with', { command: Value }>
  & Record<'cli.usage.too_many_arguments', { command: Value; expected: number; given: number }>
  & Record<'display.packages_missing', { command: Value; packages: Value }>
  & Record<'error.command_not_started', { command: Value; reason: Value; why: 'missing' | 'forbidden' | 'no_program' | 'arguments' | 'ending' | 'supervisor' | 'disclaim' | 'other' }>
  & Record<'error.did_not_become', { condition: Value; seconds: Value }>
  & Record<'cli.approvals.others' | 'cli.apps.others' | 'cli.status.more_agents' | 'error.queue_full' | 'error.too_many_desktops' | 'error.too_many_macros' | 'error.too_many_observations' | 'error.too_many_own_macros' | 'error.too_many_own_questions' | 'error.too_many_questions' | 'error.too_many_requests' | 'native.ambiguous_focus', { count: Value }>
  & Record<'error.stale_element', { count: Value; element: Value; fit: 'none' | 'other'; id: Value; renamed: 'yes' | 'other'; title: Value }>
  & Record<'error.recorded_too_much', { count: Value; max: Value }>
  & Record<'native.text_in_part', { count: Value; of: Value }>
  & Record<'error.several_fit', { count: Value; place: Value }>
  & Record<'error.text_several_times', { count: Value; place: Value; text: Value }>
  & Record<'cli.call.in_calls' | 'grant.too_many' | 'page.agents.unread' | 'page.card.allow_all' | 'page.card.deny_all' | 'page.card.steps' | 'page.card.together' | 'page.card.warning' | 'page.chat.all' | 'page.chat.asked_many' | 'page.chat.earlier' | 'page.evidence.elements_many' | 'page.evidence.more_faults' | 'page.evidence.newest' | 'page.evidence.trace_many' | 'page.health.lead' | 'page.list.count' | 'page.list.count_so_far' | 'page.list.damaged' | 'page.list.fresh' | 'page.needs.answered' | 'page.needs.count' | 'page.needs.more' | 'page.needs.unanswered' | 'page.needs.used' | 'page.settings.uses' | 'page.views.issues' | 'pairing.too_many_pages', { count: number }>
  & Record<'reply.too_long' | 'reply.too_many_images', { count: number; most: number }>
  & Record<'cli.status.waiting', { count: number; questions: number; requests: number }>
  & Record<'title.drop_files', { count: number; target: Value; tense: 'done' | 'other'; to: 'name' | 'other'; where: Value }>
  & Record<'title.run_plan', { count: number; tense: 'done' | 'other'; where: Value }>
  & Record<'title_part.steps', { count: number; way: 'down' | 'up' | 'left' | 'right' | 'other' }>
  & Record<'error.covered', { cover: Value; name: Value }>
  & Record<'error.point_covered', { cover: Value; point: Value }>
  & Record<'app.update.older', { current: Value; version: Value }>
  & Record<'page.settings.habits.nothing' | 'page.settings.retention.days', { days: number }>
  & Record<'page.notice.key', { detail: Value }>
  & Record<'error.asks_before_using', { dialog: Value; path: Value }>
  & Record<'error.asks_before_closing', { dialog: Value; title: Value }>
  & Record<'pause.by', { did: 'paused' | 'one' | 'other'; who: 'person' | 'command' | 'agent' | 'program' | 'other' }>
  & Record<'display.bad_name' | 'display.no_xkb' | 'display.no_xtest' | 'doctor.wayland_only' | 'doctor.x11' | 'native.no_such_screen' | 'cli.self_test_linux', { display: Value }>
  & Record<'display.cannot_open' | 'display.cannot_open_wayland' | 'display.gone' | 'display.unusable' | 'display.wayland_gone', { display: Value; why: Value }>
  & Record<'page.needs.call', { does: 'picture' | 'click' | 'drag' | 'pointer' | 'scroll' | 'type' | 'keys' | 'control' | 'read' | 'command' | 'steps' | 'app' | 'window' | 'clipboard' | 'file' | 'other' }>
  & Record<'error.step_failed', { done: number; left: number; of: Value; step: Value; tool: Value; why: Value }>
  & Record<'person.doubt', { doubt: 'agent' | 'host' | 'command' | 'other' }>
  & Record<'record.wrong_number', { due: Value; line: Value; number: Value }>
  & Record<'grant.time.means', { effect: 'disclose' | 'pointer' | 'other'; files: 'yes' | 'other'; folder: Value; place: Value; scope: 'site' | 'other' }>
  & Record<'policy.refuses', { effect: 'read' | 'bookkeeping' | 'disclose' | 'pointer' | 'input' | 'other'; preset: 'standard' | 'strict' | 'readonly' | 'unattended' | 'other' }>
  & Record<'task.effect', { effect: 'see' | 'click' | 'other' }>
  & Record<'note.drags_to', { end: Value; window: Value }>
  & Record<'setup.by_hand.claude_waiting', { entry: Value }>
  & Record<'error.stray_braces', { escaped: Value; example: Value; opening: Value }>
  & Record<'cli.bad_arguments', { example: Value; text: Value }>
  & Record<'connection.other_process', { expected: Value; known: 'yes' | 'other'; path: Value; pid: Value; program: Value }>
  & Record<'error.rpc_envelope' | 'gabp.invalid_params', { faults: Value }>
  & Record<'page.health.record_faults', { faults: number; lines: number }>
  & Record<'error.rpc_field', { field: 'jsonrpc' | 'method' | 'params' | 'other'; version: Value }>
  & Record<'error.changed_field' | 'gabp.bad_field' | 'gabp.missing_field' | 'gabp.unknown_field', { field: Value }>
  & Record<'input.say_type', { field: Value; named: Value }>
  & Record<'error.changed', { field: Value; part: 'window' | 'target' | 'ancestors' | 'text' | 'files' | 'place' | 'drop' | 'held' | 'application' | 'origin' | 'command' | 'other' }>
  & Record<'input.type_needs', { field: Value; type: Value }>
  & Record<'policy.unknown_field', { fields: Value; name: Value }>
  & Record<'apps.bad_bridge_file' | 'apps.too_large' | 'error.macros_put_aside' | 'error.macros_unreadable' | 'host.no_chat_file' | 'host.no_private_file' | 'note.app_entry' | 'service.requirement' | 'setup.broken_link' | 'setup.changed_meanwhile' | 'cli.logs.none', { file: Value }>
  & Record<'note.keys', { file: Value; kind: 'close' | 'save' | 'overwrite' | 'delete' | 'send' | 'print' | 'run' | 'other' }>
  & Record<'cli.self_test_done', { file: Value; left: Value; right: Value; wrong: Value }>
  & Record<'policy.wider', { file: Value; name: Value }>
  & Record<'cli.policy.valid', { file: Value; policy: Value }>
  & Record<'apps.bad_file' | 'apps.unreadable_bridge_file' | 'setup.unreadable_file', { file: Value; why: Value }>
  & Record<'note.app_files_changed', { files: Value }>
  & Record<'display.two_reasons', { first: Value; second: Value }>
  & Record<'cli.bad_root' | 'cli.gnome.does' | 'display.not_ended' | 'doctor.make_writable' | 'error.no_working_directory' | 'page.settings.grant_files' | 'task.files', { folder: Value }>
  & Record<'host.runs_already', { folder: Value; known: 'yes' | 'other'; pid: Value }>
  & Record<'note.link_asked_by', { folder: Value; pid: Value; program: Value }>
  & Record<'doctor.folder_failed', { folder: Value; why: Value }>
  & Record<'error.colour_form' | 'error.date_form' | 'input.form', { form: Value }>
  & Record<'native.unknown_pixels', { format: Value }>
  & Record<'title.gesture', { gesture: 'pinch' | 'zoom' | 'rotate' | 'swipe' | 'force_touch' | 'other'; tense: 'done' | 'other' }>
  & Record<'error.no_gesture', { gesture: Value }>
  & Record<'framing.bad_length' | 'remote.no_address' | 'remote.no_command' | 'cli.logs.count', { given: Value }>
  & Record<'input.must_be_not' | 'input.must_have', { given: Value; takes: Value }>
  & Record<'error.unknown_parameter', { has: 'none' | 'other'; name: Value; names: Value }>
  & Record<'page.settings.habits.median', { hasty: number; seconds: number }>
  & Record<'error.too_many_pixels', { height: Value; name: Value; width: Value }>
  & Record<'title.picture_area' | 'title.read_text_in_area', { height: Value; point: Value; shows: Value; tense: 'done' | 'other'; width: Value }>
  & Record<'error.outside_image', { height: Value; point: Value; width: Value }>
  & Record<'demo.got_picture' | 'note.to_size', { height: Value; width: Value }>
  & Record<'native.maximises_none' | 'native.not_minimised' | 'native.unmaximisable_there', { hint: Value }>
  & Record<'grant.shared', { holder: 'process' | 'other'; pid: Value }>
  & Record<'page.needs.hours', { hours: number; minutes: number }>
  & Record<'display.part_ended' | 'native.ended_at_once' | 'native.helper_ended', { how: Value }>
  & Record<'cli.approvals.denied' | 'error.call_not_running' | 'error.duplicate_id' | 'error.mark_without_picture' | 'error.no_such_call' | 'error.no_such_evidence' | 'error.no_such_execution' | 'error.no_such_request' | 'error.unknown_element' | 'error.unknown_mark' | 'error.unknown_snapshot' | 'native.no_such_element' | 'native.no_such_window' | 'page.agents.sees.app', { id: Value }>
  & Record<'page.card.rows.app_of', { id: Value; name: Value; pid: Value }>
  & Record<'error.no_window_of_app', { id: Value; pid: Value }>
  & Record<'error.not_durable', { id: Value; tool: Value; why: 'password' | 'nothing_to_press' | 'other' }>
  & Record<'page.chat.image_alt', { index: number }>
  & Record<'error.no_such_key' | 'error.no_such_modifier' | 'native.key_not_posted' | 'native.layout_lacks_key' | 'native.no_such_key' | 'native.shortcut_not_taken' | 'setup.why.key_twice', { key: Value }>
  & Record<'app.menu.stop_keys' | 'health.hotkey_taken', { keys: Value }>
  & Record<'error.known_keys' | 'error.known_modifiers', { keys: Value; problem: Value }>
  & Record<'title.scroll', { keys: Value; target: Value; tense: 'done' | 'other'; to: 'name' | 'other'; ways: Value; where: Value }>
  & Record<'host.path_kind' | 'host.path_link', { kind: 'folder' | 'socket' | 'other'; path: Value }>
  & Record<'cli.tools.none', { known: 'near' | 'other'; name: Value; near: Value }>
  & Record<'service.no_answer', { known: 'timeout' | 'invalid' | 'other'; why: Value }>
  & Record<'host.socket_in_use', { known: 'yes' | 'other'; path: Value; pid: Value }>
  & Record<'display.terminal_granted', { known: 'yes' | 'other'; terminal: Value }>
  & Record<'cli.approvals.no_allow' | 'cli.call.continues' | 'cli.call.unanswered' | 'cli.stop.agents', { known: 'yes' | 'other'; url: Value }>
  & Record<'cli.connection_ended' | 'connection.ended', { known: 'yes' | 'other'; why: Value }>
  & Record<'note.field_unreadable', { label: Value }>
  & Record<'error.quick_reply_reserved', { label: Value; reply: Value }>
  & Record<'error.no_such_language', { language: Value }>
  & Record<'native.ocr_language', { language: Value; languages: Value }>
  & Record<'title.check_script' | 'title.run_script', { language: Value; tense: 'done' | 'other' }>
  & Record<'page.card.cut' | 'page.card.holding_count', { left: number }>
  & Record<'input.given_array' | 'input.given_string' | 'note.password_not_kept', { length: Value }>
  & Record<'framing.body_too_large' | 'framing.message_too_large', { length: Value; max: Value }>
  & Record<'host.socket_path_length', { length: Value; max: Value; path: Value }>
  & Record<'error.none_in_time' | 'stopped.call_timed_out', { limit: Value }>
  & Record<'record.exchanged' | 'record.line_edited' | 'record.line_unreadable' | 'record.not_a_line' | 'record.other_line_in_head' | 'record.unknown_kind', { line: Value }>
  & Record<'record.lines_ahead', { lines: Value }>
  & Record<'record.lines_missing', { lines: Value; missing: Value }>
  & Record<'cli.evidence.whole' | 'page.card.whole_command' | 'page.evidence.checked_ok' | 'page.health.record_lines', { lines: number }>
  & Record<'cli.evidence.changed', { lines: number; problems: number }>
  & Record<'cli.host.pair' | 'cli.host.started' | 'cli.pair.open', { link: Value }>
  & Record<'error.bad_ttl' | 'error.call_id_length' | 'error.macro_too_long' | 'error.message_too_large' | 'error.no_duration' | 'error.too_deep' | 'error.too_many_calls' | 'error.too_many_steps' | 'error.too_many_tokens' | 'framing.header_too_large' | 'input.entries' | 'input.steps_too_long', { max: Value }>
  & Record<'input.between', { max: Value; min: Value }>
  & Record<'cli.bad_number', { max: Value; min: Value; name: Value; text: Value }>
  & Record<'error.waits_too_long', { max: Value; seconds: Value }>
  & Record<'input.at_most', { max: Value; unit: 'string' | 'array' | 'other' }>
  & Record<'error.too_many_subscriptions', { max: number }>
  & Record<'error.prompt_arguments', { max: number; name: Value; names: Value }>
  & Record<'page.pair.text', { may: 'read' | 'other' }>
  & Record<'error.picture_too_large' | 'native.clipboard_too_large', { megabytes: Value }>
  & Record<'error.file_too_large', { megabytes: Value; name: Value }>
  & Record<'error.number_too_large', { member: Value }>
  & Record<'demo.said', { message: Value }>
  & Record<'error.no_confirmation' | 'error.no_such_method' | 'gabp.no_such_method', { method: Value }>
  & Record<'error.takes_no_confirmation', { method: Value; methods: Value }>
  & Record<'title.ask_in_advance', { method: Value; tense: 'done' | 'other' }>
  & Record<'cli.bad_gabp_token' | 'input.more_than', { min: Value }>
  & Record<'input.at_least', { min: Value; unit: 'string' | 'array' | 'other' }>
  & Record<'page.card.more_time_title', { minutes: Value }>
  & Record<'page.task.for_minutes', { minutes: number }>
  & Record<'display.protocols_missing', { missing: Value }>
  & Record<'host.path_open', { mode: Value; path: Value }>
  & Record<'page.health.record_more', { more: number }>
  & Record<'apps.busy' | 'gabp.no_room' | 'name.too_long', { most: Value }>
  & Record<'reply.too_many_unread', { most: number }>
  & Record<'cli.app.refused_switch' | 'cli.apps.confirm' | 'cli.apps.started' | 'cli.apps.stopped' | 'cli.usage.unknown_command' | 'error.app_has_ended' | 'error.app_not_running' | 'error.default_not_recorded' | 'error.disabled_now' | 'error.drop_refused' | 'error.evidence_kept' | 'error.evidence_unreadable' | 'error.leaves_field' | 'error.names_no_app' | 'error.needs_no_confirmation' | 'error.no_application_name' | 'error.no_picture_file' | 'error.no_place' | 'error.no_place_to_drop' | 'error.no_such_app' | 'error.no_such_display' | 'error.no_such_display_list' | 'error.no_such_macro' | 'error.no_such_observation' | 'error.no_such_session' | 'error.no_such_tool' | 'error.no_window_name' | 'error.not_on_screen_now' | 'error.not_pressable' | 'error.not_scrolled_into_view' | 'error.out_of_view' | 'error.outside_display' | 'error.parameter_required' | 'error.parameter_twice' | 'error.part_file' | 'error.session_open' | 'error.something_else_there' | 'error.task_several' | 'error.undeclared_parameter' | 'error.unused_parameter' | 'error.would_hit_nothing' | 'gabp.bad_tool_name' | 'gabp.no_such_tool' | 'input.give' | 'name.taken' | 'native.no_application' | 'note.unknown_name' | 'page.agents.claim' | 'page.agents.policy' | 'page.apps.claim' | 'page.card.rows.claimed' | 'page.first.setup_text' | 'page.settings.until' | 'page.settings.use' | 'page.setup.adds' | 'page.setup.connect' | 'page.setup.outcome.absent' | 'page.setup.outcome.added' | 'page.setup.outcome.already' | 'page.setup.outcome.removed' | 'page.setup.outcome.updated' | 'page.setup.paste' | 'page.setup.remove_from' | 'page.setup.update' | 'policy.never_remembered' | 'policy.no_small_file' | 'policy.only_unattended' | 'policy.others_write', { name: Value }>
  & Record<'cli.bad_backend' | 'error.no_such_prompt' | 'gabp.no_such_state' | 'setup.unknown_client', { name: Value; names: Value }>
  & Record<'error.would_hit', { name: Value; other: Value }>
  & Record<'error.not_in_parent', { name: Value; parent: Value }>
  & Record<'doctor.grantee' | 'page.health.grantee', { name: Value; path: Value }>
  & Record<'page.evidence.process', { name: Value; pid: Value }>
  & Record<'cli.status.agent', { name: Value; pid: Value; state: 'idle' | 'acting' | 'waiting' | 'paused' | 'other'; time: Value }>
  & Record<'error.modifier_not_held', { name: Value; platform: Value }>
  & Record<'policy.no_file', { name: Value; presets: Value }>
  & Record<'error.did_you_mean', { name: Value; problem: Value }>
  & Record<'asker.named', { name: Value; program: Value }>
  & Record<'error.no_such_state', { name: Value; role: Value; state: Value }>
  & Record<'page.agents.session', { name: Value; time: Value }>
  & Record<'error.focus_not_taken' | 'policy.not_json' | 'policy.unreadable', { name: Value; why: Value }>
  & Record<'error.no_workspace_file', { name: Value; workspace: Value }>
  & Record<'cli.help.setup', { names: Value }>
  & Record<'input.unknown', { names: Value; takes: 'none' | 'near' | 'other' }>
  & Record<'error.cannot_write', { next: Value; path: Value; what: Value; why: Value }>
  & Record<'cli.evidence.note' | 'page.activity.said', { note: Value }>
  & Record<'page.card.step' | 'page.evidence.step_of', { number: number }>
  & Record<'page.setup.steps.at', { of: number; step: number }>
  & Record<'page.card.covered', { of: number; would: number }>
  & Record<'input.both' | 'input.either', { one: Value; other: Value }>
  & Record<'cli.usage.missing_value' | 'cli.usage.unknown_option', { option: Value }>
  & Record<'cli.host.no_folder', { option: Value; path: Value }>
  & Record<'display.part_not_started', { output: Value; program: Value; said: 'yes' | 'other'; why: Value }>
  & Record<'error.host_not_started', { output: Value; said: 'yes' | 'other' }>
  & Record<'demo.before_after', { page: Value }>
  & Record<'page.health.open_pane', { pane: Value }>
  & Record<'title.recorded', { past: Value; present: Value; target: Value; tense: 'done' | 'other'; to: 'name' | 'other'; where: Value }>
  & Record<'cli.home_takes_no_files' | 'cli.setup.backup' | 'cli.setup.changed' | 'connection.no_answer' | 'connection.no_host' | 'error.app_asked' | 'error.dangling_link' | 'error.exists_no_file' | 'error.file_exists' | 'error.no_file' | 'error.no_such_file' | 'error.no_such_folder' | 'error.not_written' | 'error.own_file' | 'error.own_folder' | 'error.step_is_link' | 'error.step_missing' | 'error.workspace_relative' | 'host.no_bridge_file' | 'host.no_http_token' | 'host.token_readable' | 'record.file_edited' | 'record.file_foreign' | 'record.file_link' | 'record.file_missing' | 'record.not_in_log' | 'record.not_plain_file' | 'setup.why.cannot_edit' | 'setup.why.not_an_object', { path: Value }>
  & Record<'input.at', { path: Value; problem: Value }>
  & Record<'error.workspace_link' | 'error.workspace_outside', { path: Value; root: Value }>
  & Record<'connection.other_user' | 'host.path_owner', { path: Value; uid: Value }>
  & Record<'error.workspace_wrong', { path: Value; why: 'missing' | 'no_folder' | 'other' }>
  & Record<'connection.unknown_process' | 'error.workspace_unreadable' | 'record.file_unreadable' | 'record.folder_unreadable', { path: Value; why: Value }>
  & Record<'cli.evidence.checked_part' | 'cli.status.record_checking', { percent: Value }>
  & Record<'page.activity.checking' | 'page.health.record_checking' | 'page.list.indexing', { percent: number }>
  & Record<'health.permission', { permission: Value; state: 'granted' | 'missing' | 'stale' | 'other' }>
  & Record<'attention.not_granted' | 'error.lacks', { permissions: Value }>
  & Record<'native.no_elements' | 'native.no_such_process' | 'native.process_ended' | 'cli.restart.goes_on', { pid: Value }>
  & Record<'native.chromium_no_elements' | 'note.opened_by', { pid: Value; program: Value }>
  & Record<'page.card.rows.since', { pid: Value; time: Value }>
  & Record<'cli.host.running_as', { pid: Value; url: Value }>
  & Record<'refused.not_ended', { pids: Value }>
  & Record<'error.none_fits' | 'error.none_usable', { place: Value }>
  & Record<'error.text_not_there', { place: Value; text: Value }>
  & Record<'display.linux_elsewhere' | 'display.macos_elsewhere' | 'display.no_backend', { platform: Value }>
  & Record<'error.no_window_at' | 'error.on_no_display' | 'error.pointer_did_not_stay', { point: Value }>
  & Record<'cli.policy.next_host' | 'cli.policy.running_host', { policy: Value }>
  & Record<'cli.host.gabp_port' | 'connection.no_port' | 'connection.port_not_ours', { port: Value }>
  & Record<'error.bad_address', { problem: 'scheme' | 'login' | 'signs' | 'length' | 'other' }>
  & Record<'error.workspace', { problem: Value }>
  & Record<'grant.untold', { program: Value; reason: 'namespace' | 'traced' | 'interpreter' | 'variable' | 'option' | 'missing' | 'modules' | 'place' | 'script' | 'library' | 'written' | 'other'; what: Value }>
  & Record<'native.not_started', { program: Value; why: Value }>
  & Record<'doctor.missing_programs', { programs: Value }>
  & Record<'app.menu.take_back' | 'note.task_extends' | 'note.task_replaces' | 'page.task.take_back_of', { purpose: Value }>
  & Record<'error.denied', { reason: 'denied' | 'withdrawn' | 'timeout' | 'policy' | 'paused' | 'other'; said: 'yes' | 'other'; words: Value }>
  & Record<'answer.paused' | 'cli.host.ends' | 'display.simulated_in_terminal' | 'display.simulated_until' | 'display.virtual_stands_in', { reason: Value }>
  & Record<'cli.status.paused', { reason: Value; time: Value }>
  & Record<'error.paused', { reason: Value; whom: 'all' | 'other' }>
  & Record<'error.titled_role', { role: Value; title: Value }>
  & Record<'error.no_workspace_root', { root: Value }>
  & Record<'record.index_differs', { rows: number }>
  & Record<'cli.policy.phrase', { rule: Value }>
  & Record<'error.handed_back', { said: 'yes' | 'other'; words: Value }>
  & Record<'apps.no_answer' | 'error.none_appeared' | 'error.typing_too_long' | 'native.no_window_in_time' | 'native.still_open_busy' | 'note.ended_after' | 'note.held_for' | 'stopped.held_too_long', { seconds: Value }>
  & Record<'error.none_appeared_because', { seconds: Value; why: Value }>
  & Record<'page.banner.again', { seconds: number }>
  & Record<'title.wait', { seconds: number; tense: 'done' | 'other' }>
  & Record<'self_test.wrong_place', { seen: Value; wanted: Value }>
  & Record<'error.date_as_shown', { shown: Value }>
  & Record<'title.picture_display', { shows: Value; target: Value; tense: 'done' | 'other' }>
  & Record<'title.look_at_screen' | 'title.picture_part' | 'title.picture_screen' | 'title.read_text_on_screen', { shows: Value; tense: 'done' | 'other' }>
  & Record<'error.task_bad_site', { site: Value }>
  & Record<'error.unknown_image', { space: Value }>
  & Record<'service.not_registered', { state: 'approval' | 'refused' | 'other' }>
  & Record<'title.set_state', { state: 'check' | 'uncheck' | 'select' | 'deselect' | 'expand' | 'collapse' | 'other'; target: Value; tense: 'done' | 'other'; where: Value }>
  & Record<'native.did_not_become', { state: 'selected' | 'deselected' | 'expanded' | 'other' }>
  & Record<'cli.status.state', { state: 'watching' | 'acting' | 'paused' | 'other' }>
  & Record<'input.step', { step: Value }>
  & Record<'error.step_not_done', { step: Value; tool: Value; why: Value }>
  & Record<'input.must_be' | 'input.required', { takes: Value }>
  & Record<'title.abort' | 'title.attach_app' | 'title.delete_macro' | 'title.end_session' | 'title.forget_opened' | 'title.save_macro' | 'title.start_app' | 'title.start_task' | 'title.stop_observation' | 'title.wait_for_changes', { target: Value; tense: 'done' | 'other' }>
  & Record<'title.scroll_then', { target: Value; tense: 'done' | 'other'; then: 'press' | 'write' | 'check' | 'uncheck' | 'select' | 'deselect' | 'expand' | 'collapse' | 'other'; where: Value }>
  & Record<'title.open_session' | 'title.run_shell_command', { target: Value; tense: 'done' | 'other'; to: 'name' | 'other' }>
  & Record<'title.look_up', { target: Value; tense: 'done' | 'other'; to: 'name' | 'other'; what: 'application' | 'display' | 'macro' | 'observation' | 'session' | 'window' | 'state' | 'other' }>
  & Record<'title.hover' | 'title.move_pointer' | 'title.open_file' | 'title.picture_element' | 'title.picture_window' | 'title.read_element' | 'title.read_text_in_window' | 'title.release_button' | 'title.replace_file' | 'title.save_file' | 'title.watch', { target: Value; tense: 'done' | 'other'; to: 'name' | 'other'; where: Value }>
  & Record<'title.cancel' | 'title.close' | 'title.confirm' | 'title.decrease' | 'title.focus' | 'title.increase' | 'title.look_at_window' | 'title.maximise' | 'title.minimise' | 'title.move' | 'title.open_menu' | 'title.open_url' | 'title.resize' | 'title.restore' | 'title.run_macro' | 'title.scroll_to' | 'title.switch_to' | 'title.use_app_tool' | 'title.write', { target: Value; tense: 'done' | 'other'; where: Value }>
  & Record<'title.ask_person' | 'title.check_health' | 'title.check_permissions' | 'title.check_replies' | 'title.clear_clipboard' | 'title.finish_task' | 'title.look_for_pointer' | 'title.look_up_task' | 'title.read_clipboard' | 'title.read_clipboard_history' | 'title.read_names' | 'title.read_own_evidence' | 'title.read_titles' | 'title.replace_clipboard' | 'title.use_desktop' | 'title.watch_titles', { tense: 'done' | 'other' }>
  & Record<'title.list', { tense: 'done' | 'other'; what: 'applications' | 'displays' | 'macros' | 'observations' | 'sessions' | 'windows' | 'other' }>
  & Record<'title.find_app_tools' | 'title.list_app_resources' | 'title.pair_page' | 'title.read_app_events' | 'title.read_app_resource', { tense: 'done' | 'other'; where: Value }>
  & Record<'apps.says' | 'page.answered.unsent' | 'verbatim', { text: Value }>
  & Record<'page.agents.since' | 'page.banner.since' | 'page.card.left' | 'page.evidence.took' | 'page.health.checked_at' | 'page.live.alt_still' | 'page.live.taken_at' | 'page.needs.time_left' | 'page.settings.last_seen' | 'page.settings.pairing.ended' | 'page.setup.states.last_seen', { time: Value }>
  & Record<'page.evidence.took_and_decision' | 'page.evidence.waited', { time: Value; waited: Value }>
  & Record<'page.evidence.zoom', { times: Value }>
  & Record<'error.minimised' | 'error.no_such_title' | 'error.not_on_screen' | 'error.window_closed', { title: Value }>
  & Record<'error.unknown_dialog', { title: Value; what: 'no_field' | 'not_taken' | 'other' }>
  & Record<'page.evidence.picture_of', { title: Value; what: Value }>
  & Record<'error.still_open', { title: Value; why: Value }>
  & Record<'native.not_maximised', { to: 'maximise' | 'other' }>
  & Record<'cli.host.mcp_http', { tokenFile: Value; url: Value }>
  & Record<'error.takes_call_id' | 'page.agents.sees.action', { tool: Value }>
  & Record<'error.no_lasting_step' | 'error.no_step', { tool: Value; where: Value }>
  & Record<'page.apps.tools', { tools: number }>
  & Record<'cli.call.block' | 'input.not_with_type', { type: Value }>
  & Record<'error.no_such_resource' | 'gabp.no_such_resource', { uri: Value }>
  & Record<'cli.call.answer_at' | 'cli.host.running' | 'doctor.host_running' | 'health.http_door' | 'cli.open.opened' | 'cli.open.by_hand' | 'cli.restart.runs', { url: Value }>
  & Record<'cli.help.default' | 'cli.tools.default' | 'native.no_such_option' | 'native.not_chosen' | 'native.other_value', { value: Value }>
  & Record<'input.one_of', { values: Value }>
  & Record<'error.desktop_variable', { variable: Value }>
  & Record<'app.menu.update_download' | 'app.menu.update_downloading' | 'app.menu.update_install' | 'app.menu.update_installing' | 'app.update.available' | 'app.update.newest' | 'app.update.ready' | 'app.update.waits' | 'gabp.other_version', { version: Value }>
  & Record<'cli.gnome.other_version', { version: Value; versions: Value }>
  & Record<'app.state.waiting' | 'page.elsewhere.waiting', { waiting: number }>
  & Record<'native.frame_fixed', { what: 'place' | 'other' }>
  & Record<'note.still_held' | 'page.evidence.scroll' | 'record.before_deletion', { what: Value }>
  & Record<'error.at', { what: Value; where: Value }>
  & Record<'note.app_asked_each_start', { what: Value; why: 'starts' | 'unnamed' | 'loads' | 'other' }>
  & Record<'page.evidence.deleted_for.age' | 'page.evidence.deleted_for.quota', { when: Value }>
  & Record<'error.step_names_no_app' | 'error.temporary_name' | 'page.card.picture' | 'page.card.picture_without', { where: Value }>
  & Record<'page.card.wants', { who: 'person' | 'other' }>
  & Record<'page.card.missed', { why: 'enter' | 'enter_hold' | 'short' | 'changed' | 'other' }>
  & Record<'error.no_sandbox', { why: 'missing' | 'forbidden' | 'folder' | 'other' }>
  & Record<'error.token_refused', { why: 'missing' | 'mismatch' | 'peer' | 'used' | 'expired' | 'policy' | 'paused' | 'scope' | 'other' }>
  & Record<'answer.failed' | 'app.update.refused' | 'app.update.unreachable' | 'app.update.unusable' | 'approval.failed' | 'attention.display_lost' | 'cli.app.not_apart' | 'cli.app.not_started' | 'cli.connect.lost' | 'cli.connect.not_listed' | 'cli.counts_only' | 'cli.failed' | 'cli.gnome.failed' | 'cli.host.bad_policy' | 'cli.policy.bad_file' | 'demo.failed' | 'display.simulated_gone' | 'display.unavailable' | 'doctor.no_pictures' | 'error.host_unreachable' | 'error.not_done' | 'error.nothing_done' | 'error.nothing_done_because' | 'error.only_person' | 'error.released_all_the_same' | 'error.rpc_unreadable' | 'error.unexpected' | 'error.unsendable' | 'failure.aborted' | 'failure.app' | 'failure.changed' | 'failure.confirm' | 'failure.internal' | 'failure.invalid' | 'failure.not_found' | 'failure.not_ready' | 'failure.permission' | 'failure.timeout' | 'failure.unsupported' | 'failure.workspace' | 'gabp.unreadable' | 'health.no_head_key' | 'health.no_notifications' | 'input.bad_pattern' | 'native.accessibility_bus_silent' | 'native.app_refused' | 'native.element_cannot' | 'native.helper_unusable' | 'native.no_picture_given' | 'native.ocr_failed' | 'native.ocr_stopped' | 'native.request_refused' | 'note.agent_learns' | 'note.never_told' | 'page.setup.demo.failed' | 'service.failed' | 'service.no_addon' | 'stopped.let_go_because', { why: Value }>
  & Record<'answer.covered' | 'cover.window' | 'note.covered_by' | 'note.drags_to_desktop' | 'note.ends_over', { window: Value }>
  & Record<'note.address_says', { word: Value }>
  & Record<'note.to_point', { x: Value; y: Value }>;
