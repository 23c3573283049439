import type { Logger } from 'pino';
import { PairingRefused, type Pairing } from '../pairing/index.js';
import type { PairingRequests } from '../pairing/requests.js';
import { createSettingUp, type ClientsPorts } from './clients.js';
import { createCommandHandlers, type CommandsPort } from './commands.js';
import { createDemoing, type DemoPorts } from './demo.js';
import type { Page } from './page.js';
import { createAsking, type QuestionPorts } from './questions.js';
import { sendPairings } from './news.js';
import type { AgentsPort, Outcome, ShellPort } from './ports.js';
import { createSettings, type SettingsPorts } from './settings.js';
import { createWatching, type WatchPorts } from './watching.js';
import type { Handler, Handlers, Message, Type } from './handler.js';

export interface HandlerPorts extends QuestionPorts, WatchPorts, SettingsPorts, ClientsPorts, DemoPorts {
  pairing: Pairing;
  pairingRequests: PairingRequests;
  agents: AgentsPort;
  commands: CommandsPort;
  /** Absent where there is no menubar app. */
  shell?: ShellPort;
  /** Sends `connected` for the page's present role, and what else that role is told. */
  greet(page: Page, cursor: number | null): void;
  log: Logger;
}

/** What each message does. Who may send it is decided here and nowhere else; what is not allowed by name is refused. */
export function createHandlers(ports: HandlerPorts): Handlers {
  const { chat, approvals, control, pairing, shell } = ports;

  /** Only for a paired page; its outcome goes back when it is a refusal. */
  function paired<T extends Type>(
    act: (page: Page, message: Message<T>) => Outcome | Promise<Outcome>,
    about: (message: Message<T>) => string | undefined = () => undefined,
  ): Handler<T> {
    return async (page, message) => {
      if (page.role() !== 'paired') return needsPairing(page, about(message));
      report(page, await act(page, message), about(message));
    };
  }

  return {
    ...createAsking(ports),
    ...createWatching(ports, paired, report),
    ...createSettingUp(ports, paired),
    ...createCommandHandlers(ports, paired),
    ...createDemoing(ports, paired),
    ...createSettings(ports, paired),
    ack(page, { id, message, images = [] }) {
      const isPaired = page.role() === 'paired';
      if (!isPaired && (images.length > 0 || !mayAnswer(page, ports))) return needsPairing(page, id);
      report(page, chat.answer(id, message, images, isPaired), id);
    },
    press: paired(
      (page, { id, digest, place }) => {
        const press = { id, digest, connection: page.source.connection, ...(place === undefined ? {} : { place }) };
        approvals.pressBegan(press, page.person(), page.source);
        return { ok: true };
      },
      ({ id }) => id,
    ),
    approval: paired(
      (page, { type: _, ...answer }) => approvals.answer(answer, page.person(), page.source),
      ({ id }) => id,
    ),
    abort: paired(
      (page, { executionId }) => control.abort(executionId ?? null, page.person()),
      ({ executionId }) => executionId,
    ),
    async pause(page, { on }) {
      if (!on && page.role() !== 'paired') return needsPairing(page);
      report(page, await (on ? control.pause(page.person()) : control.resume(page.person())));
    },
    resume(page, { cursor }) {
      if (page.budgets.greetings.take()) ports.greet(page, cursor);
      else page.strike('too_many', 'The page asks for everything again too often.');
    },
    authenticate(page, { keyId, signature }) {
      if (page.isPopover) return needsNone(page);
      const nonce = page.useNonce();
      if (!page.budgets.proofs.take())
        return page.strike('too_many', 'Too many attempts. Reload the page in a minute.');
      const { origin, host } = page.upgrade;
      if (!pairing.authenticate({ keyId, signature, origin, host, nonce }))
        return page.strike(
          'not_paired',
          'This page is not paired any more, or never was. Pair it again with a new link.',
        );
      page.becomePaired(keyId);
      ports.greet(page, null);
    },
    pair(page, { code, publicKey }) {
      if (page.isPopover) return needsNone(page);
      if (!page.budgets.proofs.take())
        return page.strike('too_many', 'Too many attempts. Reload the page in a minute.');
      return redeem(page, { code, publicKey }, ports);
    },
    visibility: (page, { visible }) => page.upgrade.sight?.shows(visible),
    revokeGrant: paired(
      (page, { id }) => approvals.revokeGrant(id, page.person()),
      ({ id }) => id,
    ),
    dismissPairings: paired((page, { keyIds }) => {
      pairing.dismissNews(page.keyId(), keyIds);
      sendPairings(page, pairing);
      return { ok: true };
    }),
    revokePairing: paired((page, { keyId }) =>
      ports.pairingRequests.revoke(keyId, page.person())
        ? { ok: true }
        : { ok: false, code: 'unknown_pairing', message: 'There is no such paired page.' },
    ),
    setPolicy: paired((page, { preset }) => approvals.setPolicy(preset, page.person())),
    openPopover: paired(() => {
      shell?.showPopover();
      return shell === undefined ? NO_SHELL : { ok: true };
    }),
    openBrowser: paired((page) => {
      if (!page.isPopover) return NO_SHELL;
      shell?.openBrowser();
      return { ok: true };
    }),
    openPermission: paired((_page, { pane }) => shell?.openPermission(pane) ?? NO_SHELL),
  };
}

const NO_SHELL: Outcome = {
  ok: false,
  code: 'no_popover',
  message: 'That is for the menu bar, and Chaperone does not run there.',
};

function needsNone(page: Page): void {
  page.strike('not_needed', 'The menu bar needs no pairing.');
}

/** An unpaired reply must come from a process of this user that is known not to be an agent's. Unclear means no. */
function mayAnswer(page: Page, { agents, log }: HandlerPorts): boolean {
  const { client, descendsFromAgent } = page.upgrade;
  if (page.audience() !== 'chat' || client === null || descendsFromAgent) return false;
  try {
    return !agents.descends(client);
  } catch (error) {
    log.warn({ err: error }, 'page: its process could not be looked up');
    return false;
  }
}

/** A page has one link on its way at most; when it goes, so does what waits for it. */
async function redeem(page: Page, { code, publicKey }: Redeemed, ports: HandlerPorts): Promise<void> {
  if (!page.beginPairing()) return page.strike('too_many', 'This page waits to be paired already.');
  const { client } = page.upgrade;
  try {
    const keyId = await ports.pairingRequests.redeem(
      { code, publicKey, client },
      (waiting) => page.send({ type: 'pairingWaits', ...waiting }),
      page.gone,
    );
    if (page.ended()) return;
    page.useNonce();
    page.becomePaired(keyId);
    page.send({ type: 'paired', keyId });
    ports.greet(page, null);
  } catch (error) {
    if (page.ended()) return;
    if (!(error instanceof PairingRefused)) throw error;
    page.strike(error.code, error.message);
  } finally {
    page.endPairing();
  }
}

type Redeemed = Pick<Message<'pair'>, 'code' | 'publicKey'>;

function needsPairing(page: Page, about?: string): void {
  page.refuse(
    'pairing_needed',
    'Pair this page to do that here: open a link from the menu bar or from `chaperone pair`.',
    about,
  );
}

function report(page: Page, outcome: Outcome, about?: string): void {
  if (!outcome.ok) page.refuse(outcome.code, outcome.message, about);
}
