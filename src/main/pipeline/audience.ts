/**
 * What may be told to whom. Each error says what it is about, and is told only to an agent that may see that. A message without a place
 * in this table does not compile; a detail without one is dropped.
 */
import * as z from 'zod';
import { message, type Code, type Message } from '../../messages/index.js';
import { WireError, type ErrorCode } from '../protocol/index.js';

/**
 * `machine`: the state of Chaperone and its machine. `call`: the caller's own arguments and records. `app`: the application of the act.
 * `titles`: which applications and windows are open, and which is in front. `screen`: anything else.
 */
const LEVELS = ['machine', 'call', 'app', 'titles', 'screen'] as const;
export type Level = (typeof LEVELS)[number];

type ErrorText = Extract<Code, `error.${string}` | `native.${string}`>;

// prettier-ignore
const ABOUT = {
  machine: [
    'error.call_continues', 'error.only_person', 'error.cannot_write', 'error.connection_closed', 'error.denied', 'error.evidence_unreadable', 'error.host_in_use',
    'error.host_not_started', 'error.host_stays', 'error.host_unreachable', 'error.lacks', 'error.link_open', 'error.log_changed', 'error.log_moved',
    'error.macros_put_aside', 'error.macros_unreadable', 'error.message_not_answered', 'error.no_answer_yet', 'error.no_automation', 'error.outcome_unknown',
    'error.part_evidence', 'error.part_file', 'error.part_folder', 'error.part_log', 'error.paused', 'error.program_replaced', 'error.question_unsaved', 'error.queue_full',
    'error.too_many_requests', 'error.unindexed', 'error.unknown_program', 'error.unreadable_error', 'error.withheld', 'error.write_cause', 'error.write_next',
    'native.accessibility_bus_silent', 'native.bus_address_unusable', 'native.bus_silent', 'native.colour_depth', 'native.helper_ended', 'native.helper_replaced',
    'native.helper_unusable', 'native.no_accessibility', 'native.no_clipboard', 'native.no_composite', 'native.no_displays', 'native.no_screen_recording',
    'native.presses_untold',
  ],
  call: [
    'error.evidence_kept', 'error.number_too_large', 'error.too_deep', 'error.quick_reply_reserved',
    'error.at', 'error.bad_address', 'error.bad_page_token', 'error.bad_ttl', 'error.button_held', 'error.button_not_held', 'error.call_id_length',
    'error.call_id_reused', 'error.call_not_running', 'error.command_not_started', 'error.dangling_link', 'error.default_not_recorded', 'error.desktop_variable',
    'error.did_you_mean', 'error.drag_needs_points', 'error.drag_points_or_path', 'error.duplicate_id', 'error.exists_no_file', 'error.file_exists',
    'error.file_too_large', 'error.handed_back', 'error.holds_already', 'error.known_keys', 'error.known_modifiers', 'error.macro_too_long', 'error.mark_without_picture',
    'error.message_empty', 'error.message_not_utf8', 'error.message_too_large', 'error.modifier_not_held', 'error.needs_no_confirmation', 'error.no_acting_step',
    'error.no_application_name', 'error.no_browser', 'error.no_confirmation', 'error.no_duration', 'error.no_file', 'error.no_file_dialogs_on_macos', 'error.no_gesture',
    'error.no_lasting_step', 'error.no_phrases', 'error.no_picture_file', 'error.no_scroll_distance', 'error.no_step', 'error.no_such_app', 'error.no_such_call',
    'error.no_such_display', 'error.no_such_display_list', 'error.no_such_evidence', 'error.no_such_execution', 'error.no_such_file', 'error.no_such_folder',
    'error.no_such_key', 'error.no_such_language', 'error.no_such_macro', 'error.no_such_method', 'error.no_such_modifier', 'error.no_such_observation',
    'error.no_such_prompt', 'error.no_such_request', 'error.no_such_resource', 'error.no_such_session', 'error.no_such_tool', 'error.no_target',
    'error.no_window_name', 'error.no_sandbox', 'error.no_working_directory', 'error.no_workspace_file', 'error.no_workspace_root', 'error.not_a_browser', 'error.not_animated', 'error.not_done',
    'error.not_durable', 'error.nothing_done', 'error.nothing_done_because', 'error.nothing_recorded', 'error.on_no_display', 'error.one_source',
    'error.outside_display', 'error.outside_displays', 'error.outside_image', 'error.own_file', 'error.own_folder', 'error.parameter_required',
    'error.parameter_twice', 'error.paste_alone', 'error.picture_too_large', 'error.prompt_arguments', 'error.quick_reply_empty', 'error.recorded_too_much',
    'error.released_all_the_same', 'error.rpc_bad_id', 'error.rpc_batch', 'error.rpc_envelope', 'error.rpc_field', 'error.rpc_no_id', 'error.rpc_no_object',
    'error.rpc_unreadable', 'error.script_needs_allow', 'error.script_not_checked', 'error.scroll_of_nothing', 'error.session_open', 'error.step_is_link',
    'error.step_missing', 'error.step_names_no_app', 'error.step_not_done', 'error.stray_braces', 'error.takes_call_id', 'error.takes_no_confirmation',
    'error.temporary_name', 'error.token_refused', 'error.too_many_calls', 'error.too_many_desktops', 'error.too_many_macros', 'error.too_many_observations', 'error.too_many_own_macros',
    'error.too_many_own_questions', 'error.too_many_pixels', 'error.too_many_questions', 'error.too_many_steps', 'error.too_many_subscriptions',
    'error.too_many_tokens', 'error.typing_too_long', 'error.undeclared_parameter', 'error.unknown_element', 'error.unknown_image', 'error.unknown_mark',
    'error.unknown_parameter', 'error.unknown_snapshot', 'error.unsendable', 'error.unused_parameter', 'error.waits_too_long', 'error.workspace',
    'error.workspace_link', 'error.workspace_no_path', 'error.workspace_nul', 'error.workspace_outside', 'error.workspace_relative', 'error.workspace_unreadable',
    'error.workspace_wrong', 'error.wrong_phrase', 'error.x_and_y',
    'error.task_app_excluded', 'error.task_app_never', 'error.task_bad_site', 'error.task_no_browser', 'error.task_no_sites', 'native.clipboard_denied', 'native.clipboard_kept', 'native.clipboard_silent',
    'native.clipboard_too_large', 'native.event_not_made',
    'native.input_late', 'native.key_not_posted', 'native.layout_changed', 'native.layout_lacks_key', 'native.no_bound_paste', 'native.no_frame', 'native.pointer_untold', 'native.sway_maximises_none', 'native.unknown_pixels', 'native.one_kind_copied', 'native.layout_has_no', 'native.shell_window', 'native.main_display_only', 'native.popover_in_picture', 'native.maximises_none',
    'native.no_application', 'native.no_drops', 'native.no_picture_given', 'native.no_spare_key', 'native.no_such_key', 'native.no_such_screen', 'native.not_started',
    'native.number_only', 'native.ocr_busy', 'native.ocr_closing', 'native.ocr_failed', 'native.ocr_language', 'native.ocr_stopped', 'native.one_file_only',
    'native.point_not_finite', 'native.region_empty', 'native.region_outside', 'native.secure_untypable', 'native.shortcut_not_taken', 'native.tiling', 'native.untypable',
  ],
  app: [
    'error.about_something_else', 'error.app_asked', 'error.app_ended', 'error.app_ended_look', 'error.asks_before_closing', 'error.changed', 'error.changed_field',
    'error.changed_nothing', 'error.clipboard_hidden', 'error.colour_form', 'error.date_as_shown', 'error.date_form', 'error.did_not_become', 'error.disabled_now', 'error.does_more',
    'error.drop_refused', 'error.files_changed', 'error.focus_not_taken', 'error.hidden_window', 'error.in_no_picture',
    'error.asks_before_using', 'error.input_in_no_window', 'error.leaves_field', 'error.minimised', 'error.no_file_dialog', 'error.no_place', 'error.no_place_to_drop',
    'error.no_such_action', 'error.no_such_state', 'error.no_window', 'error.no_window_to_close', 'error.no_window_to_type', 'error.none_appeared',
    'error.none_appeared_because', 'error.none_appeared_in', 'error.none_fits', 'error.none_in_time', 'error.none_usable', 'error.not_on_screen',
    'error.not_on_screen_now', 'error.not_pressable', 'error.not_scrolled_into_view', 'error.not_written', 'error.other_dialog', 'error.other_process',
    'error.out_of_view', 'error.own_window', 'error.pointer_did_not_stay', 'error.pointer_moved', 'error.popup_no_focus', 'error.several_file_dialogs',
    'error.several_fit', 'error.something_else_there', 'error.stale_element', 'error.starting_no_elements', 'error.step_failed', 'error.still_open',
    'error.text_not_there', 'error.text_several_times', 'error.titled_role', 'error.unknown_dialog', 'error.window_closed',
    'error.windows_closed_while_read', 'error.would_hit', 'error.would_hit_nothing', 'native.action_not_done', 'native.ambiguous_focus', 'native.app_refused',
    'native.app_silent', 'native.app_slow', 'native.browser_slow', 'native.cannot_focus', 'native.cannot_minimise', 'native.changed_while_captured',
    'native.chromium_no_elements', 'native.did_not_become', 'native.drop_unanswered', 'native.element_cannot', 'native.element_disabled',
    'native.element_disabled_not_set', 'native.element_disabled_not_written', 'native.element_gone', 'native.element_not_editable', 'native.element_of_other_app',
    'native.element_or_app_gone', 'native.ended_at_once', 'native.focus_not_given', 'native.focus_not_taken', 'native.frame_fixed', 'native.frame_not_known', 'native.covered_no_picture', 'native.kills_no_x', 'native.tiled_window', 'native.fixed_window',
    'native.hidden_no_picture', 'native.minimise_ignored', 'native.minimised_no_picture', 'native.no_action', 'native.no_close_button', 'native.no_elements',
    'native.no_picture', 'native.no_such_option', 'native.no_text', 'native.no_value', 'native.no_way_to_expand', 'native.no_way_to_select',
    'native.no_window_in_time', 'native.no_windows_left', 'native.not_chosen', 'native.not_ended_by_force', 'native.not_expandable', 'native.not_maximised',
    'native.not_minimised', 'native.not_restored', 'native.not_selectable', 'native.nothing_takes_text', 'native.options_not_choosable', 'native.options_when_open',
    'native.other_text', 'native.other_value', 'native.paste_not_taken', 'native.pointer_elsewhere', 'native.process_ended', 'native.request_refused', 'native.scrolled_not_showing',
    'native.size_fixed', 'native.still_open_asks', 'native.still_open_busy', 'native.still_there', 'native.takes_no_drops', 'native.text_in_part',
    'native.text_not_taken', 'native.toolkit_no_focus', 'native.toolkit_no_scroll', 'native.unmaximisable_there', 'native.window_no_elements',
  ],
  titles: [
    'error.app_has_ended', 'error.app_not_running', 'error.covered', 'error.held_in_no_window', 'error.input_in_the_way', 'error.names_no_app', 'error.no_app_in_front',
    'error.no_such_title', 'error.no_window_at', 'error.no_window_in_front', 'error.no_window_of_app', 'error.none_of_app_there', 'error.not_in_parent',
    'error.nothing_to_paste_into', 'error.other_window_there', 'error.point_covered', 'error.starting_no_window', 'error.task_program_untold', 'error.task_several', 'native.clipboard_owner_silent',
    'native.clipboard_taken', 'native.no_paste_key', 'native.no_such_element', 'native.no_such_process', 'native.no_such_window', 'native.not_in_app', 'native.on_other_desktop',
    'native.paste_not_in_front', 'native.window_gone', 'native.window_gone_meanwhile', 'native.window_in_other_space', 'native.window_of_other_app',
    'native.windows_change',
  ],
  screen: [
    'error.unexpected',
  ],
} as const satisfies Record<Level, readonly ErrorText[]>;

type Unplaced = Exclude<ErrorText, (typeof ABOUT)[Level][number]>;
const EVERY_TEXT_HAS_A_PLACE: [Unplaced] extends [never] ? true : Unplaced = true;

/** Texts that are no errors themselves, but are part of some, by their first word. */
const PARTS = {
  stopped: 'machine', attention: 'machine', approval: 'machine', policy: 'machine', pause: 'machine', permission: 'machine', health: 'machine',
  display: 'machine', refused: 'machine', input: 'call', next: 'call', cover: 'titles', task: 'machine', grant: 'machine',
} as const satisfies Record<string, Level>; // prettier-ignore

const DETAILS = {
  reason: 'machine', errno: 'machine', next: 'machine', by: 'titles', approvalId: 'machine', executionId: 'machine', kind: 'machine', since: 'machine', states: 'machine',
  missing: 'machine', released: 'machine', message: 'machine', issues: 'call', keys: 'call', modifiers: 'call', tools: 'call', methods: 'call', nearest: 'call',
  path: 'call', selector: 'call', step: 'call', limit: 'call', elapsedMs: 'call', timeoutMs: 'call', files: 'call', languages: 'call', allowed: 'call',
  point: 'call', candidates: 'app', note: 'app', truncated: 'app', drift: 'app', steps: 'app', seen: 'app', matched: 'app', actions: 'app', options: 'app',
  value: 'app', text: 'app', dialog: 'app', running: 'titles', front: 'titles',
} as const satisfies Record<string, Level>; // prettier-ignore

const levelOf = new Map<string, Level>([
  ...LEVELS.flatMap((level) => ABOUT[level].map((code) => [code, level] as const)),
  ...(EVERY_TEXT_HAS_A_PLACE ? [] : []),
]);
const partLevels = new Map<string, Level>(Object.entries(PARTS));
const detailLevels = new Map<string, Level>(Object.entries(DETAILS));

const wider = (one: Level, other: Level): Level => (LEVELS.indexOf(one) >= LEVELS.indexOf(other) ? one : other);

/** The widest of what a text and the texts in it are about. */
export function aboutText({ code, params }: Message): Level {
  const own = levelOf.get(code) ?? partLevels.get(code.split('.')[0] ?? '') ?? 'screen';
  const inside = Object.values(params).flatMap((value) => (Array.isArray(value) ? value : [value]));
  return inside.reduce<Level>((widest, value) => (isText(value) ? wider(widest, aboutText(value)) : widest), own);
}

const isText = (value: unknown): value is Message => typeof value === 'object' && value !== null && 'code' in value;

const ofRecords = new WeakSet<z.ZodType>();

/** Marks a field of an act's result that names the record of the call, and nothing of the desktop. */
export function ofRecord<T extends z.ZodType>(schema: T): T {
  ofRecords.add(schema);
  return schema;
}

export const namesRecord = (schema: z.ZodType): boolean => ofRecords.has(schema);

/** The same answer whatever the desktop shows. `code`: of an act that was allowed; before that, not even it is told. */
export const withheldError = (code: ErrorCode = 'DESKTOP_CONFIRM_REQUIRED'): WireError =>
  new WireError(code, message('error.withheld'), {
    reason: 'not_shown',
    next: 'Ask the person with send_message. Or look first, as with list_windows or capture_screenshot: the person is asked then.',
  });

/** The error as an agent may be told it that sees so much. */
export function toldOf(error: WireError, sees: (level: Level) => boolean): WireError {
  if (!sees(aboutText(error.text))) return withheldError(error.code);
  const details = Object.entries(error.details).filter(([name]) => sees(detailLevels.get(name) ?? 'screen'));
  if (details.length === Object.keys(error.details).length && sees('titles')) return error;
  const shown = Object.fromEntries(details.map(([name, value]) => [name, name === 'drift' ? ownDrift(value) : value]));
  return new WireError(error.code, error.text, shown, error.retryable);
}

const driftSchema = z.array(z.looseObject({ what: z.string() }));

/** What is there now is told only where it belongs to the approved process. */
function ownDrift(drift: unknown): unknown {
  const parsed = driftSchema.safeParse(drift);
  if (!parsed.success) return [];
  const elsewhere = parsed.data.some(({ what }) =>
    /(?: pid| startTime| app)$|^(?:application|window|target|place)$/u.test(what),
  );
  return parsed.data.map(({ now, ...rest }) => (elsewhere ? rest : { ...rest, now }));
}

/** Without what else is open, for an agent that was only allowed to look at one application. */
export function withoutTitles(error: WireError): WireError {
  const details = Object.entries(error.details).filter(([name]) => detailLevels.get(name) !== 'titles');
  return new WireError(error.code, error.text, Object.fromEntries(details), error.retryable);
}
