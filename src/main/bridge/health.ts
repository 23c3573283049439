import { title, subjectWithoutPlace } from '../protocol/index.js';
import * as z from 'zod';
import { defineAction } from '../pipeline/define.js';
import type { AnyAction } from '../pipeline/action.js';
import type { Caller } from '../approvals/request.js';
import { readPermissions } from '../pipeline/permissions.js';
import { BRIDGE_SERVICE } from '../protocol/local-command.js';
import { requestMetaSchema, peerSchema, type BridgeDeps } from './method.js';
import { formatEnglish, type Message } from '../../messages/index.js';

const input = z.object({ meta: requestMetaSchema });
const state = z.enum(['granted', 'missing', 'stale', 'unknown']);
const detail = z.object({ granted: z.boolean(), required: z.boolean(), purpose: z.string() });

const PURPOSES = { accessibility: 'Read and operate windows and controls', screenRecording: 'Take screenshots' };

export function healthActions(deps: BridgeDeps): AnyAction[] {
  const peer = (caller: Caller) => ({ pid: caller.peer.pid, auditTokenDigest: deps.auditTokenDigest(caller) });

  const health = defineAction({
    name: 'desktop.health',
    title: 'Health',
    description: 'Host version, platform and permission states. Never raises a prompt.',
    needs: [],
    effect: 'read',
    input,
    output: z.object({
      hostVersion: z.string(),
      macos: z.string(),
      platform: z.string(),
      permissions: z.object({ accessibility: state, screenRecording: state }),
      bridge: z.object({
        service: z.string(),
        schemaVersion: z.literal(1),
        doors: z.array(z.enum(['service', 'socket'])),
        serviceClosed: z.string().nullable(),
      }),
      peer: peerSchema,
    }),
    subject: () => subjectWithoutPlace(title('title.check_health')),
    async run(ctx, _input, signal) {
      const { platform, version } = deps.desktop;
      const { permissions } = await readPermissions(deps.desktop, signal);
      const macos = platform === 'macos' ? version : 'n/a';
      return {
        hostVersion: deps.version,
        macos,
        platform: `${platform}, ${version}`,
        permissions,
        bridge: { service: BRIDGE_SERVICE, schemaVersion: 1 as const, ...doors(deps.serviceClosed()) },
        peer: peer(ctx.caller),
      };
    },
  });

  const doctor = defineAction({
    name: 'desktop.doctor',
    title: 'Doctor',
    description: 'Each permission with its purpose, what is wrong, and who is calling.',
    needs: [],
    effect: 'read',
    input,
    output: z.object({
      permissions: z.object({ accessibility: detail, screenRecording: detail }),
      issues: z.array(z.string()),
      healthy: z.boolean(),
      peer: peerSchema,
    }),
    subject: () => subjectWithoutPlace(title('title.check_permissions')),
    async run(ctx, _input, signal) {
      const { permissions: states, trouble } = await readPermissions(deps.desktop, signal);
      const describe = (name: keyof typeof PURPOSES) => ({
        granted: states[name] === 'granted',
        required: true,
        purpose: PURPOSES[name],
      });
      const names = { accessibility: 'Accessibility', screenRecording: 'Screen Recording' };
      const lacking = (['accessibility', 'screenRecording'] as const)
        .filter((name) => states[name] !== 'granted')
        .map(
          (name) =>
            `${names[name]} permission ${states[name] === 'stale' ? 'stale: it is listed for an older build; remove it and grant it again' : 'denied'}`,
        );
      const issues = trouble === null ? lacking : [formatEnglish(trouble)];
      const permissions = { accessibility: describe('accessibility'), screenRecording: describe('screenRecording') };
      return { permissions, issues, healthy: issues.length === 0, peer: peer(ctx.caller) };
    },
  });

  return [health, doctor];
}

/** How callers reach this host. */
function doors(serviceClosed: Message | null) {
  const socket = 'socket' as const;
  return {
    doors: serviceClosed === null ? ['service' as const, socket] : [socket],
    serviceClosed: serviceClosed === null ? null : formatEnglish(serviceClosed),
  };
}
