import { isIP } from 'node:net';

import { toUtcMinute } from '../../kernel/utc.ts';
import { Problem } from '../../kernel/problem.ts';
import type { AddressRule } from './address-rule.ts';

/** UTF-16 code units. Discord takes no longer URL of an avatar. */
const URL_LENGTH_MAX = 2_048;

/** RFC 1035: 253 characters, labels of 63; the underscore is used in practice. */
const HOST_NAME = /^(?=.{1,253}$)[a-z0-9_-]{1,63}(?:\.[a-z0-9_-]{1,63})*$/;

const ATTACHMENT_HOSTS = new Set(['cdn.discordapp.com', 'media.discordapp.net']);
const ATTACHMENT_PATH = /^\/(?:ephemeral-)?attachments\//;
const LINK_END = /^[0-9a-f]{1,10}$/i;

/**
 * The URL of an image or of a redirect's target, in the one spelling that is checked and connected to. The URL parser
 * normalises short, octal, hexadecimal and full-width IP addresses, so no other parser may read the text afterwards.
 * @param base a redirect's target is relative to it
 * @throws Problem `image_url_invalid` or `image_address_not_allowed`
 */
export function parseImageUrl(text: string, rule: AddressRule, base?: URL): URL {
  if (base === undefined) refuseOtherThings(text);
  const address = base === undefined ? withoutBrackets(text) : text;
  const url = address.length <= URL_LENGTH_MAX ? URL.parse(address, base?.href) : null;
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    throw urlInvalid(base);
  }
  url.hash = '';
  if (url.hostname.endsWith('.')) url.hostname = url.hostname.slice(0, -1);

  const literal = literalAddress(url);
  if (literal === null && !HOST_NAME.test(url.hostname)) throw urlInvalid(base);
  // Check the IP address first. If there are two reasons, the caller gets the one that cannot be fixed.
  const allowed = literal === null ? rule.allowsName(url.hostname) : rule.allowsAddress(literal);
  if (!allowed) throw addressNotAllowed();
  if (url.username !== '' || url.password !== '' || !rule.allowsPort(portOf(url))) {
    throw urlInvalid(base);
  }
  return url;
}

/** People write `<https://…>` in Discord, so that it shows no preview. */
function withoutBrackets(text: string): string {
  const trimmed = text.trim();
  return trimmed.startsWith('<') && trimmed.endsWith('>') ? trimmed.slice(1, -1) : trimmed;
}

const CUSTOM_EMOJI = /^<(a?):\w{2,32}:(\d{17,20})>$/;
/** UTF-16 code units. Longer texts are not looked at, as the pattern for emoji is slow. */
const TYPED_EMOJI_LENGTH_MAX = 100;

/** True for typed emoji, like `:smile:`, and for emoji of Unicode. */
function isTypedEmoji(text: string): boolean {
  // Made on first use, because compiling this takes tens of milliseconds, which a start should not wait for.
  return /^(?::[\w+\-]{1,50}:|\p{RGI_Emoji}){1,5}$/v.test(text);
}

/** @throws Problem `image_url_invalid` for things that people call images, but that have no URL */
function refuseOtherThings(text: string): void {
  if (/^\s{0,100}data:/i.test(text)) {
    throw new Problem('image_url_invalid/data_uri', { field: 'url' });
  }
  const short = text.length > TYPED_EMOJI_LENGTH_MAX ? '' : text.trim();
  const [, animated, id] = CUSTOM_EMOJI.exec(short) ?? [];
  if (id !== undefined) {
    const url = `https://cdn.discordapp.com/emojis/${id}.${animated === 'a' ? 'webp?animated=true' : 'png'}`;
    throw new Problem('image_url_invalid/emoji', { field: 'url', values: { url } });
  }
  if (isTypedEmoji(short)) {
    throw new Problem('image_url_invalid/typed_emoji', { field: 'url' });
  }
}

/**
 * A link to a file in a message carries its own expiry, `ex`, in hexadecimal Unix seconds. After that Discord's CDN
 * only answers 404, which does not explain to a caller that last week's link has expired. Source:
 * https://docs.discord.com/developers/reference#signed-attachment-cdn-urls
 * @param now Unix milliseconds
 * @throws Problem `image_url_invalid` when the link has expired
 */
export function refuseEndedLink(url: URL, now: number): void {
  if (!ATTACHMENT_HOSTS.has(url.hostname) || !ATTACHMENT_PATH.test(url.pathname)) return;
  const end = url.searchParams.get('ex') ?? '';
  if (!LINK_END.test(end)) return;
  const endedAt = Number.parseInt(end, 16) * 1_000;
  if (endedAt > now) return;
  const at = toUtcMinute(endedAt);
  throw new Problem('image_url_invalid/ended', { field: 'url', values: { at } });
}

/** Returns the IP address in the URL itself, without brackets, or null when the URL has a name. */
function literalAddress(url: URL): string | null {
  const host = url.hostname.startsWith('[') ? url.hostname.slice(1, -1) : url.hostname;
  return isIP(host) === 0 ? null : host;
}

function portOf(url: URL): number {
  const usual = url.protocol === 'https:' ? 443 : 80;
  return url.port === '' ? usual : Number(url.port);
}

/** @param isProxyFakeIp true if the name resolves to a fake-ip of a proxy on this machine, which its admin can change */
export function addressNotAllowed(isProxyFakeIp = false): Problem {
  return new Problem(isProxyFakeIp ? 'image_address_not_allowed/fake' : 'image_address_not_allowed', {
    field: 'url',
  });
}

function urlInvalid(base: URL | undefined): Problem {
  return new Problem(base === undefined ? 'image_url_invalid' : 'image_url_invalid/redirect', {
    field: 'url',
  });
}
