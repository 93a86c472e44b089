import { setTimeout as delay } from 'node:timers/promises';

import { expect } from 'vitest';

import { GuardedImageFetcher, type ImageFetcherOptions } from '../../../src/images/guarded-image-fetcher.ts';
import { publicInternet, type AddressRule } from '../../../src/images/guard/address-rule.ts';
import type { ImageFetcher } from '../../../src/images/image-fetcher.ts';
import type { OperationContext } from '../../../src/operations/operation.ts';
import { Problem } from '../../../src/kernel/problem.ts';
import { POLL } from '../../fixtures/poll.ts';
import { NO_DELIVERIES } from '../../fixtures/no-deliveries.ts';
import { NO_MEMBERS, NO_REST_MEMBERS } from '../../fixtures/no-members.ts';

const LET_IN = '127.0.0.1';

/**
 * The rule for the public internet, on which 127.0.0.1 and the ports of the test's origins lie for once. Every other
 * address of the loopback network stays forbidden, so that both sides of the rule can be reached for real.
 */
export function admitting(...ports: readonly number[]): AddressRule {
  return {
    allowsName: (name) => publicInternet.allowsName(name),
    allowsAddress: (address) => address === LET_IN || publicInternet.allowsAddress(address),
    allowsPort: (port) => ports.includes(port) || publicInternet.allowsPort(port),
  };
}

export function fetcherFor(options: Partial<ImageFetcherOptions>): GuardedImageFetcher {
  return new GuardedImageFetcher({ userAgent: 'Quartermaster (+http://localhost:3000)', ...options });
}

export interface Outcome {
  readonly code: string;
  readonly error: string;
}

/** The code of what became of a fetch, and what the caller reads; `ok` for an image. */
export async function outcomeOf(images: ImageFetcher, url: string, guildId = '0'): Promise<Outcome> {
  try {
    const image = await images.fetch(url, 'base64', guildId, new AbortController().signal);
    image.release();
    return { code: 'ok', error: '' };
  } catch (error) {
    if (error instanceof Problem) return { code: error.code, error: error.message };
    throw error;
  }
}

const WATCHED = [
  'TCPSocketWrap',
  'TLSWrap',
  'ConnectWrap',
  'UDPWrap',
  'QueryWrap',
  'Timeout',
  'FSReqCallback',
];

/** Sockets, lookups and timers of this process that keep it alive, by kind. */
export function openResources(): Record<string, number> {
  const active = process.getActiveResourcesInfo();
  return Object.fromEntries(
    WATCHED.map((kind) => [kind, active.filter((name) => name.startsWith(kind)).length]),
  );
}

/** Waits until nothing more is open than before. */
export async function expectNothingLeft(before: Record<string, number>): Promise<void> {
  const left = () => Object.entries(openResources()).filter(([kind, count]) => count > (before[kind] ?? 0));
  // No poll of the runner: its own timers would be among what is open.
  for (let looks = 0; looks < POLL.timeout / POLL.interval && left().length > 0; looks += 1) {
    await delay(POLL.interval);
  }
  expect(left()).toEqual([]);
}

/** As a caller with a key has it. */
export function contextWith(
  images: ImageFetcher,
  guildId: string | null = '123456789012345678',
): OperationContext {
  return {
    tenantId: guildId ?? '0',
    guildId,
    secret: null,
    now: Date.now,
    signal: new AbortController().signal,
    images,
    members: NO_MEMBERS,
    idempotencyKey: null,
    deliveries: NO_DELIVERIES,
    restMembers: NO_REST_MEMBERS,
  };
}
