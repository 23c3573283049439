import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { errno } from '../../base/type-guards.js';
import { message } from '../../messages/index.js';
import type { Health } from '../protocol/index.js';
import { createBridgeService, type BridgeService, type ServiceOffer } from '../serve/bridge-service.js';
import type { HostOptions } from './options.js';

const settingsSchema = z.object({ requirement: z.string().min(1).max(10_000) }).strict();

/** The bridge service as this host may open it. A settings file that cannot be read closes it: it may ask for more than nothing. */
export function hostBridgeService({ paths, service }: Pick<HostOptions, 'paths' | 'service'>): BridgeService {
  const settings = join(paths.config, 'service.json');
  return createBridgeService(withRequirement(service ?? none(), settings), settings);
}

function none(): ServiceOffer {
  const why = message(process.platform === 'darwin' ? 'service.needs_app' : 'service.only_macos');
  return { kind: 'unavailable', why };
}

function withRequirement(offer: ServiceOffer, file: string): ServiceOffer {
  if (offer.kind === 'unavailable') return offer;
  try {
    const { requirement } = settingsSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
    return { ...offer, requirement };
  } catch (error) {
    if (errno(error) === 'ENOENT') return offer;
    return { kind: 'unavailable', why: message('service.requirement', { file }) };
  }
}

/** Only where the app was to open it. */
export function serviceIssues(
  { service }: Pick<HostOptions, 'service'>,
  { whyClosed }: BridgeService,
): Health['issues'] {
  const why = service === undefined ? null : whyClosed();
  if (why === null) return [];
  const fix = why.code === 'service.no_addon' ? 'service.install_again' : 'service.socket_serves';
  return [{ title: why, fix: message(fix) }];
}
