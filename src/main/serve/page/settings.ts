/** What a person asks and changes on the settings view. */
import type { DesktopReader } from '../../../native/desktop.js';
import { switchPreset, withExcluded, type Approvals } from '../../approvals/index.js';
import type { EvidenceRecorder } from '../../evidence/index.js';
import type { Definitions } from './definition.js';

export interface SettingsDependencies {
  approvals: Pick<Approvals, 'policy' | 'setPolicy'>;
  desktop: Pick<DesktopReader, 'apps'>;
  recorder: Pick<EvidenceRecorder, 'habits'>;
}

type Handled = 'applications' | 'habits' | 'setPolicy' | 'exclude' | 'setRetention';

const APPS_TIMEOUT_MS = 5_000;

export const settingsHandlers: Definitions<Handled, SettingsDependencies> = {
  applications: {
    role: 'paired',
    async handler({ desktop }, _message, signal) {
      const running = await desktop.apps(AbortSignal.any([signal, AbortSignal.timeout(APPS_TIMEOUT_MS)]));
      const byId = new Map(running.map(({ id, name }) => [id, { id, name }]));
      return { apps: [...byId.values()].sort((one, other) => one.name.localeCompare(other.name)) };
    },
  },
  habits: {
    role: 'paired',
    handler: async ({ recorder }) => ({ habits: await recorder.habits() }),
  },
  setPolicy: {
    role: 'paired',
    handler: ({ approvals, person }, { preset }) =>
      approvals.setPolicy(switchPreset(approvals.policy(), preset), person),
  },
  exclude: {
    role: 'paired',
    handler: ({ approvals, person }, { appId, on }) =>
      approvals.setPolicy(withExcluded(approvals.policy(), appId, on), person),
  },
  setRetention: {
    role: 'paired',
    handler: ({ approvals, person }, { retention }) =>
      approvals.setPolicy({ ...approvals.policy(), evidence: retention }, person),
  },
};
