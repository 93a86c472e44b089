import { Problem } from '../problem.ts';

const HOSTS = new Set(['cdn.discordapp.com', 'media.discordapp.net']);
const PATH = /^\/(?:ephemeral-)?attachments\//;
const END = /^[0-9a-f]{1,10}$/i;

/**
 * A link to a file in a message carries its own end, `ex`, in hexadecimal Unix seconds. After that Discord's CDN only
 * answers 404, which says nothing to a person who copied the link last week.
 * Source: https://docs.discord.com/developers/reference#signed-attachment-cdn-urls
 * @param now Unix milliseconds
 * @throws Problem `image_url_invalid` when that end has passed
 */
export function refuseEndedLink(url: URL, now: number): void {
  if (!HOSTS.has(url.hostname) || !PATH.test(url.pathname)) return;
  const end = url.searchParams.get('ex') ?? '';
  if (!END.test(end)) return;
  const endedAt = Number.parseInt(end, 16) * 1_000;
  if (endedAt > now) return;
  const at = new Date(endedAt).toISOString().slice(0, 16).replace('T', ' ');
  throw new Problem('image_url_invalid', {
    field: 'url',
    error: `This Discord link ended on ${at} (UTC).`,
    hint: 'Copy the link again in Discord: each copy works for about a day.',
    detail: { kind: 'image_link_ended', values: { at } },
  });
}
