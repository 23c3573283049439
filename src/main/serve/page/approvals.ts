import type { Approvals } from '../../approvals/index.js';
import { shownPolicy, switchPreset, withExcluded, withRetention } from '../../approvals/index.js';
import type { DesktopBackend } from '../../../native/desktop.js';
import type { EvidenceRecorder } from '../../evidence/index.js';
import type { ApprovalNews, ApprovalsPort, Person, SettingsPort, ShellPort } from './ports.js';
import type { PageCover } from './cover.js';
import type { PressCheck } from './press-check.js';
import type { Shell } from '../menubar-app.js';

const PATIENCE_MS = 5_000;

/** Approvals as the pages see them: news in the page's words, answers with who and where. */
export function approvalsForPages(
  approvals: Approvals,
  picture: ApprovalsPort['picture'],
  around: PressCheck,
  cover: PageCover,
): ApprovalsPort {
  const resolvedOf = (
    event: Extract<Parameters<Parameters<Approvals['onCard']>[0]>[0], { kind: 'resolved' }>,
  ): ApprovalNews => ({
    type: 'approvalResolved',
    id: event.id,
    decision: event.decision,
    by: event.by,
    ...(event.reason === null ? {} : { reason: event.reason }),
    ...(event.message === null ? {} : { message: event.message }),
  });

  return {
    open: approvals.cards,
    picture,
    pressBegan({ place, ...press }, person, { pid }) {
      cover.began(press.connection, processOf(person, pid), place);
      approvals.pressBegan(press);
    },
    async answer(answer, person, { connection, pid }) {
      const given = { ...answer, ...person, connection };
      if (answer.decision === 'deny') return approvals.answer(given);
      try {
        await around.heard(AbortSignal.timeout(PATIENCE_MS));
        const [otherDisplay, over] = await Promise.all([around.otherDisplay(pid), cover.over(connection)]);
        return approvals.answer({ ...given, otherDisplay, ...(over === null ? {} : { over }) });
      } catch {
        const message = 'Nothing was decided: it could not be told whether the press was a person’s.';
        return { ok: false, code: 'failed', message };
      }
    },
    grants: approvals.grants,
    revokeGrant: (id) =>
      approvals.revokeGrant(id)
        ? { ok: true }
        : { ok: false, code: 'unknown_grant', message: 'That grant has ended already.' },
    policy: () => shownPolicy(approvals.policy()),
    setPolicy: (preset, person) => approvals.setPolicy(switchPreset(approvals.policy(), preset), person),
    exclude: (appId, on, person) => approvals.setPolicy(withExcluded(approvals.policy(), appId, on), person),
    setRetention: (retention, person) => approvals.setPolicy(withRetention(approvals.policy(), retention), person),
    on(listener) {
      const ends = [
        approvals.onCard((event) => {
          if (event.kind === 'resolved') listener(resolvedOf(event));
          else
            listener({
              type: event.kind === 'requested' ? 'approvalRequested' : 'approvalChanged',
              approval: event.card,
            });
        }),
        approvals.onGrants((grants) => listener({ type: 'grants', grants })),
        approvals.onPolicy((policy) => listener({ type: 'policy', policy: shownPolicy(policy) })),
      ];
      return () => ends.forEach((end) => end());
    },
  };
}

/** The popover's windows are this process's own. */
const processOf = ({ where }: Person, pid: number | null): number | null => (where === 'popover' ? process.pid : pid);

/** What the settings show besides the policy. */
export function settingsForPages(
  desktop: Pick<DesktopBackend, 'apps'>,
  recorder: Pick<EvidenceRecorder, 'habits'>,
): SettingsPort {
  return {
    async applications() {
      const apps = await desktop.apps(AbortSignal.timeout(PATIENCE_MS));
      const byId = new Map(apps.map(({ id, name }) => [id, { id, name }]));
      return [...byId.values()].sort((one, other) => one.name.localeCompare(other.name));
    },
    habits: recorder.habits,
  };
}

/** The menubar app as the pages reach it. */
export function shellForPages(shell: Shell, openBrowser: () => void): ShellPort {
  return {
    showPopover: shell.showPopover,
    openBrowser,
    openPermission: (pane) =>
      shell.openPermission(pane)
        ? { ok: true }
        : { ok: false, code: 'no_pane', message: 'This system has no such pane in its settings.' },
  };
}
