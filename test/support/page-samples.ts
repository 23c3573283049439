/** Things for a page to show. Times are relative to `now`, so that nothing has run out when a test looks. */
import {
  title,
  type Activity,
  type Agent,
  type AgentMessage,
  type Card,
  type Grant,
  type Habits,
  type Health,
  type Picture,
  type ShownPolicy,
  type Status,
  type UserMessage,
} from '../../src/main/protocol/index.js';
import { CLICK } from './titles.js';
import { randomUUID } from 'node:crypto';
import sharp from 'sharp';
import { message, verbatim } from '../../src/messages/index.js';

const MINUTE = 60_000;
export const ago = (minutes: number, now = Date.now()): string => new Date(now - minutes * MINUTE).toISOString();

export const CLAUDE: Agent = {
  id: 'a-claude',
  name: 'Claude Code',
  tile: 'CC',
  claim: 'Claude Code 2.1',
  executable: '/opt/homebrew/bin/claude',
  script: null,
  pid: 48213,
  startTime: ago(84),
  cwd: '/Users/ana/code/lease-app',
};
export const CODEX: Agent = {
  ...CLAUDE,
  id: 'a-codex',
  name: 'Codex',
  tile: 'Cx',
  claim: 'codex 0.40',
  executable: '/usr/local/bin/codex',
  pid: 48377,
};

export function card(over: Partial<Card> = {}): Card {
  return {
    id: randomUUID(),
    digest: randomUUID(),
    executionId: randomUUID(),
    agent: CLAUDE,
    effect: 'input',
    tool: 'click',
    subject: {
      title: CLICK,
      target: 'Send',
      app: 'Mail',
      place: 'Re: Lease renewal, to Maria Keller',
    },
    arguments: { x: 575, y: 37, button: 'left' },
    text: null,
    workspace: '/Users/ana/code/lease-app',
    process: { name: 'Mail', appId: 'com.apple.mail', pid: 611, startTime: ago(300) },
    window: 'Re: Lease renewal',
    documentUrl: null,
    ancestors: ['Toolbar', 'Re: Lease renewal'],
    notes: [],
    picture: null,
    grants: [
      { kind: 'once', label: message('grant.once'), consequence: message('grant.once.means'), covered: null },
      {
        kind: 'time',
        label: message('grant.choice', { agent: 'Claude Code', scope: 'other', place: 'Mail', length: 'time' }),
        consequence: message('grant.time.means', {
          scope: 'other',
          place: 'Mail',
          effect: 'other',
          files: 'other',
          folder: '',
        }),
        covered: { would: 7, of: 9 },
      },
      {
        kind: 'session',
        label: verbatim('This app until I quit'),
        consequence: verbatim('Allow gives Mail until Chaperone quits.'),
        covered: { would: 8, of: 9 },
      },
    ],
    createdAt: ago(0.8),
    expiresAt: ago(-4.2),
    orphaned: false,
    ...over,
  };
}

export function shellCard(over: Partial<Card> = {}): Card {
  return card({
    agent: CODEX,
    effect: 'dangerous',
    tool: 'execute_shell_command',
    subject: {
      title: title('title.run_shell_command'),
      target: null,
      app: null,
      place: '~/code/lease-app',
    },
    arguments: {
      command:
        'rm -rf build/ dist/ &&\n  find . -name "*.orig" -delete &&\n  git push --force-with-lease origin release/2.4',
    },
    text: 'rm -rf build/ dist/ &&\n  find . -name "*.orig" -delete &&\n  git push --force-with-lease origin release/2.4',
    process: null,
    window: null,
    ancestors: [],
    notes: [message('note.outside_sandbox')],
    grants: [],
    createdAt: ago(2.2),
    expiresAt: ago(-2.8),
    ...over,
  });
}

export function question(seq: number, text: string, over: Partial<AgentMessage> = {}): AgentMessage {
  const agent = { id: CLAUDE.id, name: CLAUDE.name, tile: CLAUDE.tile };
  return { type: 'agentMessage', text, ack_id: randomUUID(), seq, at: ago(4), agent, ...over };
}

export function answer(seq: number, to: AgentMessage, text: string, over: Partial<UserMessage> = {}): UserMessage {
  return { type: 'userMessage', text, ack_id: to.ack_id, seq, at: ago(10), paired: true, ...over };
}

export function activity(over: Partial<Activity> = {}): Activity {
  return {
    seq: 1,
    executionId: randomUUID(),
    at: ago(5),
    agent: { id: CLAUDE.id, name: CLAUDE.name, tile: CLAUDE.tile },
    tool: 'click',
    effect: 'input',
    subject: { title: CLICK, target: 'Archive', app: 'Mail', place: 'Lease renewal' },
    outcome: 'confirmed',
    verified: 'confirmed',
    note: null,
    evidenceDir: '/Users/ana/code/lease-app/artifacts/desktop/2026-11-21/41d8',
    thumbnail: null,
    ...over,
  };
}

export const STATUS: Status = {
  state: 'watching',
  paused: null,
  recordVerified: true,
  agents: [
    { ...CLAUDE, since: ago(84), state: 'waiting' },
    { ...CODEX, since: ago(50), state: 'acting' },
  ],
};

export const POLICY: ShownPolicy = {
  preset: 'standard',
  confirmPhrase: 'ask',
  effects: {
    read: 'allow',
    bookkeeping: 'allow',
    disclose: 'ask_once_per_session',
    pointer: 'ask',
    input: 'ask',
    dangerous: 'ask',
  },
  excludedApps: ['com.1password.1password'],
  retention: { maxAgeDays: 30, maxBytes: null },
};

export const HABITS: Habits = {
  days: 7,
  asked: 42,
  allowed: 38,
  denied: 3,
  unanswered: 1,
  medianMs: 3_400,
  hasty: 6,
};

export const HEALTH: Health = {
  hostVersion: '0.1.0',
  platform: 'linux',
  backend: 'linux',
  display: verbatim(':0'),
  permissions: { accessibility: 'granted', screenRecording: 'missing' },
  issues: [
    {
      title: verbatim('Screen recording is missing'),
      fix: verbatim('Open System Settings, switch on Chaperone, then come back here.'),
    },
  ],
};

export const GRANT: Grant = {
  id: randomUUID(),
  kind: 'time',
  agent: { name: 'Claude Code', executable: '/opt/homebrew/bin/claude', script: null, pid: 48213, startTime: ago(84) },
  appId: 'com.apple.mail',
  origin: null,
  effects: ['input'],
  label: verbatim('Clicks and typing'),
  createdAt: ago(2),
  /** Asked anew each time: files that share a worker share this, for longer than it would last. */
  get expiresAt() {
    return ago(-8);
  },
  usesLeft: null,
};

/** A drawn mail window; `target` is the Send button. */
export async function mailPicture(width = 1344, height = 416): Promise<Picture> {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 672 208" width="${width}" height="${height}" font-family="DejaVu Sans">
    <rect width="672" height="208" fill="#c3c9dd"/><rect x="0" y="50" width="120" height="158" fill="#d7d8df"/>
    <rect x="108" y="14" width="528" height="230" rx="11" fill="#f6f6f7"/><path d="M108 60h528" stroke="#dcdce0"/>
    <circle cx="130" cy="37" r="6" fill="#ff5f57"/><circle cx="150" cy="37" r="6" fill="#febc2e"/><circle cx="171" cy="37" r="6" fill="#28c840"/>
    <text x="196" y="42" font-size="13" font-weight="700" fill="#242427">Re: Lease renewal</text>
    <rect x="536" y="23" width="78" height="28" rx="7" fill="#0a6cff"/><text x="556" y="42" font-size="13" font-weight="700" fill="#fff">Send</text>
    <text x="128" y="84" font-size="12" fill="#8a8a91">To:</text><text x="160" y="84" font-size="12" fill="#242427">Maria Keller</text>
    <path d="M128 98h508M128 132h508" stroke="#e3e3e7"/><text x="128" y="119" font-size="12" fill="#242427">Re: Lease renewal, signed copy</text>
    <text x="128" y="160" font-size="13" fill="#242427">Hi Maria,</text><text x="128" y="182" font-size="13" fill="#242427">the signed copy is attached.</text></svg>`;
  const scale = width / 672;
  const bytes = await sharp(Buffer.from(svg)).resize(width, height).webp().toBuffer();
  const target = { x: 536 * scale, y: 23 * scale, width: 78 * scale, height: 28 * scale };
  return { mimeType: 'image/webp', base64: bytes.toString('base64'), width, height, target };
}

export async function thumbnail(): Promise<Picture> {
  const { base64, mimeType } = await mailPicture(128, 80);
  return { mimeType, base64, width: 128, height: 80, target: null };
}
