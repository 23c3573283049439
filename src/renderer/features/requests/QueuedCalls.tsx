/** Calls that become requests once an earlier one of the same agent is answered: how many, and what they do. */
import type { ReactNode } from 'react';
import { MAX_AGENT_NAME_LENGTH, type CurrentCall } from '../../../main/protocol/index.js';
import type { AgentQueue } from '../../state/select.js';
import { t } from '../../strings.js';
import { CutText, TitleText } from './CardHead.js';
import { Icon } from '../../ui/Icon.js';

const MAX_CALLS = 3;

export function QueuedCalls({ queued }: { queued: readonly AgentQueue[] }): ReactNode {
  if (queued.length === 0) return null;
  return (
    <ul className="queued" aria-label={t('page.needs.queue')}>
      {queued.map(({ agentId, name, calls }) => (
        <li key={agentId}>
          <Icon name="clock" />
          <span>
            <CutText
              text={t('page.needs.next', { agent: name, count: calls.length })}
              most={MAX_AGENT_NAME_LENGTH * 2}
            />
            {t('page.marks.colon')}
            {calls.slice(0, MAX_CALLS).map((call, index) => (
              <span key={call.executionId}>
                {index === 0 ? null : t('page.marks.comma')}
                <CallText call={call} />
              </span>
            ))}
            {calls.length > MAX_CALLS ? ` ${t('page.needs.more', { count: calls.length - MAX_CALLS })}` : null}
          </span>
        </li>
      ))}
    </ul>
  );
}

/** What a call does, in words; before its request is made, all that is known is its tool. */
export function CallText({ call, lower = true }: { call: CurrentCall; lower?: boolean }): ReactNode {
  if (call.subject !== null) return <TitleText subject={call.subject} lower={lower} />;
  const text = t('page.needs.call', { does: DOES.get(call.tool) ?? 'other' });
  return lower ? text : text.charAt(0).toLocaleUpperCase() + text.slice(1);
}

type Does = NonNullable<Parameters<typeof t<'page.needs.call'>>[1]>['does'];

const of = (does: Does, ...tools: string[]): [string, Does][] => tools.map((tool) => [tool, does]);

const DOES: ReadonlyMap<string, Does> = new Map([
  ...of('picture', 'capture_screenshot', 'capture_window_screenshot', 'capture_element_screenshot'),
  ...of('picture', 'capture_region_screenshot', 'zoom'),
  ...of('click', 'click', 'click_element', 'click_text', 'left_mouse_down', 'left_mouse_up'),
  ...of('drag', 'drag', 'drag_files', 'gesture'),
  ...of('pointer', 'mouse_move', 'hover', 'cursor_position'),
  ...of('scroll', 'scroll'),
  ...of('type', 'type_text', 'write_element_value'),
  ...of('keys', 'press_key', 'hold_key'),
  ...of('control', 'set_element_state', 'perform_element_action'),
  ...of('read', 'get_element_tree', 'get_tree_changes', 'find_elements', 'find_region_elements', 'find_text'),
  ...of('read', 'get_element', 'get_element_actions', 'wait_element', 'wait_element_state'),
  ...of('command', 'execute_shell_command', 'execute_apple_script', 'execute_jxa'),
  ...of('steps', 'run_plan', 'execute_macro'),
  ...of('app', 'open_application', 'quit_application'),
  ...of('window', 'focus_window', 'close_window', 'move_window', 'resize_window', 'restore_window'),
  ...of('window', 'maximize_window', 'minimize_window', 'list_windows', 'get_window', 'get_window_state'),
  ...of('clipboard', 'get_clipboard', 'get_clipboard_history', 'write_clipboard', 'clear_clipboard'),
  ...of('file', 'automate_open_file_dialog', 'automate_save_file_dialog'),
]);
