import { PermissionFlagsBits } from 'discord-api-types/v10';

import type { OverlapSeconds } from '../../guild-keys/guild-keys.ts';
import type { imageToBase64 } from '../../operations/image-to-base64/operation.ts';
import type { AnswerOf } from '../../operations/operation.ts';
import type { parseArgs } from '../../operations/parse-args/operation.ts';
import type { permissionDecoder } from '../../operations/permission-decoder/operation.ts';
import type { permissionEncoder } from '../../operations/permission-encoder/operation.ts';
import type { ProblemCode } from '../../problem.ts';
import { clip, inlineCode, timestamp } from './markdown.ts';

const PERMISSION_NAMES: ReadonlyMap<bigint, string> = new Map([
  [PermissionFlagsBits.ManageGuild, 'Manage Server'],
  [PermissionFlagsBits.ManageRoles, 'Manage Roles'],
]);

/** Everything that the commands say, in one place. Names and descriptions of commands are in localisations.ts. */
export const texts = {
  /** Where the hint for HTTP callers would lead somebody in Discord astray. */
  problemHints: {
    rate_limited: null,
    unknown_permission: 'Pick the names from the list that opens while you type.',
    internal: 'Try again in a moment.',
  } as Partial<Record<ProblemCode, string | null>>,
  wait: (seconds: number) => `Wait ${seconds} second${seconds === 1 ? '' : 's'}.`,
  reference: (id: string) => `-# If it stays, report this reference: ${id}`,
  unknownCommand: {
    error: 'This command has changed.',
    hint: 'Discord needs a moment to show the new one. Try again in a minute.',
  },
  unknownComponent: {
    error: 'This button belongs to an older version of the bot.',
    hint: 'Run the command again.',
  },
  notYours: {
    error: 'This was made for somebody else.',
    hint: 'Run the command yourself to get your own.',
  },
  guildOnly: { error: 'This works only in a server.', hint: 'Use it in a channel of your server.' },
  permissionNeeded: (permission: bigint) => ({
    error: `You need the permission ${PERMISSION_NAMES.get(permission) ?? 'of an administrator'} for this.`,
    hint: 'Ask an admin of this server.',
  }),
  undelivered: {
    error: 'Discord did not take the answer.',
    hint: 'Run the command again; a smaller input may help.',
  },
  botNotInGuild: (inviteUrl: string) => ({
    error: 'The bot itself is not in this server, only its commands are.',
    hint: `[Add the bot](${inviteUrl}), then try again. A key without the bot would stop working.`,
  }),

  fileTooLarge: (bytesMax: number) => ({
    error: `The file is larger than ${bytesMax.toLocaleString('en')} bytes.`,
    hint: 'Use a smaller one.',
  }),
  fileUnavailable: {
    error: 'Discord did not hand out the file.',
    hint: 'Attach it again.',
  },
  fileNotText: {
    error: 'The file is not a text in UTF-8.',
    hint: 'Save it as UTF-8 and attach it again.',
  },
  fileDoesNotFit: (bytesMax: number) => ({
    error: `The answer is larger than the ${Math.floor(bytesMax / 1_048_576)} MiB that Discord takes here.`,
    hint: 'The HTTP API gives it whole.',
  }),
  messageWithoutText: { error: 'There is no text in this message.' },
  maySpeakNoMore: {
    error: 'You cannot show this here.',
    hint: 'You need the permission to send messages in this channel, and files where there is one.',
  },
  showToEveryone: 'Show to everyone',
  sharedBy: (userId: string) => `-# Shown by <@${userId}>`,
  sharedByName: (name: string) => `Shown by ${name}`,
  cancel: 'Cancel',
  back: 'Back to the list',

  keys: {
    created: (name: string) => `### Key ${inlineCode(name)} created`,
    rotated: (name: string) => `### New key for ${inlineCode(name)}`,
    copyNow: 'Copy it now. It is shown only here and only once; nobody can look it up later.',
    about: (publicPart: string, expiresAt: number | null, builder: string | null) =>
      `-# ${publicPart} · ${expiresAt === null ? 'does not expire' : `expires ${timestamp(expiresAt, 'D')}`}${builder === null ? '' : ` · ${builder}`}`,
    scope: (operations: readonly string[]) =>
      `It may call ${operations.map((name) => inlineCode(name)).join(' ')} and nothing else.`,
    oldKeyLives: (expiresAt: number) => `The old key works until ${timestamp(expiresAt, 'f')}.`,
    oldKeyEnded: 'The old key no longer works.',
    snippet: (builder: string) => `**Try it: ${builder}**`,
    /** Nobody said for which tool the key is. */
    anySnippet: (builder: string) => `**Try it: ${builder}, one example of many**`,
    noSnippet: (publicUrl: string) => `Examples for your tool: ${publicUrl}/docs`,
    savedIt: 'Saved it',
    saved: (name: string, publicPart: string) =>
      `**The key is no longer shown.**\n${inlineCode(name)} (${inlineCode(publicPart)}) is ready to use.`,
    manage: (list: string, usage: string) =>
      `-# ${list} shows and manages keys, ${usage} what they are used for.`,
    notShown: {
      error: 'Discord did not show the key, so it was revoked.',
      hint: 'Nothing else has changed. Run the command again.',
    },
    notShownNorRevoked: (publicPart: string) => ({
      error: 'Discord did not show the key, and it could not be revoked either.',
      hint: `Revoke ${publicPart} when the storage answers again. Nobody has seen the key.`,
    }),
    none: (create: string) => `This server has no keys yet. ${create} makes one.`,
    heading: (live: number, max: number) => `### API keys of this server\n${live} of ${max} in use`,
    entry: (entry: {
      name: string;
      publicPart: string;
      createdBy: string;
      createdAt: number;
      expiresAt: number | null;
      lastUsedAt: number | null;
      replaced: boolean;
      flags: string;
    }) =>
      [
        `**${inlineCode(entry.name)}** · ${inlineCode(entry.publicPart)}${entry.replaced ? ' · replaced' : ''}${entry.flags}`,
        `Made by ${entry.createdBy === 'cli' ? 'the command line' : `<@${entry.createdBy}>`} ${timestamp(entry.createdAt, 'R')} · ` +
          `last used ${entry.lastUsedAt === null ? 'never' : timestamp(entry.lastUsedAt, 'R')} · ` +
          (entry.expiresAt === null ? 'does not expire' : `expires ${timestamp(entry.expiresAt, 'R')}`),
      ].join('\n'),
    ended: (count: number) => `**Ended in the last 90 days** (${count})`,
    endedEntry: (name: string, publicPart: string, how: string, at: number) =>
      `${inlineCode(name)} ${inlineCode(publicPart)} ${how} ${timestamp(at, 'R')}`,
    expired: 'expired',
    revoked: 'revoked',
    answersFlat: ' · flat answers',
    answersAlways200: ' · always 200',
    /** In a list of keys, where there is room for two names. */
    onlyFor: (operations: readonly string[]) =>
      operations.length <= 2 ? ` · only ${operations.join(', ')}` : ` · only ${operations.length} operations`,
    rotate: 'Rotate',
    revoke: 'Revoke',
    newer: 'Newer',
    older: 'Older',
    confirmRevoke: (name: string, publicPart: string, replaced: boolean) =>
      `### Revoke ${inlineCode(name)}?\n${inlineCode(publicPart)} stops working with the next request` +
      `${replaced ? '; the newer key of this name goes on working' : ', and so does what a rotation has left of it'}. This cannot be undone.`,
    confirmRevokeButton: 'Revoke this key',
    revokedNow: (name: string, replaced: boolean) =>
      replaced
        ? `**The older key of ${inlineCode(name)} is revoked.** The newer one goes on working.`
        : `**${inlineCode(name)} is revoked.** Requests with it are refused from now on.`,
    confirmRotate: (name: string) =>
      `### Rotate ${inlineCode(name)}?\nYou get a new key with the same name. How long should the old one go on working?`,
    endsOlder: (publicPart: string, expiresAt: number) =>
      `The older key ${inlineCode(publicPart)} was to work until ${timestamp(expiresAt, 'f')}. It stops at once.`,
    confirmRotateAndEnd: (name: string) =>
      `### Rotate ${inlineCode(name)}?\nYou get a new key with the same name.`,
    confirmRotateAndEndButton: 'Rotate and end the older key',
    overlapPlaceholder: 'Choose how long the old key lives on',
    overlaps: {
      0: 'It stops now',
      3_600: 'One hour',
      86_400: 'One day',
      604_800: 'One week',
    } satisfies Record<OverlapSeconds, string>,
    cancelled: 'Nothing was changed.',
    notFound: (name: string) => ({
      error: `There is no key ${inlineCode(name)} in this server.`,
      hint: 'Pick one from the list that opens while you type.',
    }),
    ambiguous: (name: string) => ({
      error: `Several keys are called ${inlineCode(name)}.`,
      hint: 'Pick one from the list that opens while you type.',
    }),
  },

  help: {
    start: (mention: (path: string) => string) =>
      [
        '### Quartermaster',
        'Parses command lines, encodes permissions, splits texts, turns images into base64 and lists the members of a role: here as commands, and over HTTP for your own bot.',
        `1. ${mention('settings key create')} makes a key for this server. It is shown once.`,
        '2. Send it in the header `Authorization` with every request.',
        `3. ${mention('settings usage')} shows what your keys are used for.`,
      ].join('\n'),
    api: (
      publicUrl: string,
      operations: readonly { readonly path: string; readonly summary: string }[],
      requestsPerMinute: number,
      imagesPerMinute: number,
    ) =>
      [
        `**The API** is at ${publicUrl}, its reference at ${publicUrl}/docs`,
        ...operations.map(({ path, summary }) => `- \`${path}\` ${summary}`),
        `-# This server may send ${requestsPerMinute} requests a minute, and ${imagesPerMinute} for images.`,
      ].join('\n'),
    commands: (mention: (path: string) => string) =>
      [
        '**Commands in Discord**',
        [
          'parse',
          'permissions encode',
          'permissions decode',
          'permissions why',
          'split',
          'base64',
          'role-members',
          'role-counts',
        ]
          .map((path) => mention(path))
          .join(' · '),
        'On a message, under Apps: Split text · Parse command line · Image to base64',
      ].join('\n'),
    invite: '**Add the bot to another server.** It asks for no permissions.',
    inviteButton: 'Add to a server',
  },

  usage: {
    none: (list: string) =>
      `**No requests in the last 30 days.**\nSee ${list} for your keys, and \`GET /api/key\` for a first request.`,
    heading: (today: number, total: number) =>
      `### Usage\n**${today.toLocaleString('en')}** today, **${total.toLocaleString('en')}** in 30 days`,
    byOperation: '**By operation**',
    byKey: '**By key**',
    byDay: '**Last 7 days**',
    columns: ['now', '30d'] as const,
    deletedKey: '(deleted)',
    otherKeys: (count: number) => `${count} others`,
    note: '-# Requests over HTTP; commands in Discord are not among them. Days begin at 00:00 UTC. The newest requests may be missing for a few minutes.',
  },

  permissions: {
    heading: (count: number) => `### ${count} permission${count === 1 ? '' : 's'}`,
    details: (answer: AnswerOf<typeof permissionEncoder | typeof permissionDecoder>) =>
      [
        `In hexadecimal: \`${answer.hex}\``,
        ...(answer.permissions.length === 0 ? [] : [listNames(answer.permissions)]),
        ...(answer.elevated.length === 0
          ? []
          : [`-# Where moderation needs two-factor authentication, so do: ${listNames(answer.elevated)}`]),
        ...('unknown_bits' in answer ? decodedDetails(answer) : []),
        ...('invite_url' in answer && answer.invite_url !== undefined
          ? [`**Invite** <${answer.invite_url}>`]
          : []),
      ].join('\n'),
  },

  split: {
    formTitle: 'Split text',
    formLabel: 'Text',
    formPlaceholder: 'Paste it here. For more than 4,000 characters attach a file to the command.',
    both: { error: 'There is a text and a file.', hint: 'Give one of them.' },
    noTextFile: { error: 'The file is not a text.', hint: 'Attach a .txt or .md file in UTF-8.' },
    nothing: { error: 'There is nothing to split: the text is blank.' },
    chunkHeading: (index: number, count: number) => `----- ${index} of ${count} -----`,
    asFile: (count: number) =>
      `### ${count} piece${count === 1 ? '' : 's'}\nA line with its number stands before each.`,
    readAsGithub:
      'The text has tables or headings as on GitHub, so it was converted for Discord first. To get it as it was typed, use `/split` with `dialect: Discord`.',
  },

  base64: {
    nothing: { error: 'There is no image.', hint: 'Attach a file, or give its address.' },
    both: { error: 'There is a file and an address.', hint: 'Give one of them.' },
    messageWithoutImage: { error: 'There is no image in this message.' },
    summary: (image: AnswerOf<typeof imageToBase64>) =>
      [
        `### ${image.mime_type}`,
        `${image.width} × ${image.height} pixels, ${image.size.toLocaleString('en')} bytes${image.animated ? ', animated' : ''}`,
        image.emoji_ok
          ? 'Discord takes it for an emoji as it is.'
          : 'Too large or of the wrong type for an emoji.',
      ].join('\n'),
    fitted: (image: AnswerOf<typeof imageToBase64>, target: string) =>
      [
        `### ${image.fitted === true ? 'Made to fit' : 'Fits as it is'}: ${target.replace('_', ' ')}`,
        ...(image.before === null || image.before === undefined
          ? []
          : [`**Before** ${describeImage(image.before)}`]),
        `**${image.fitted === true ? 'After' : 'Image'}** ${describeImage(image)}`,
      ].join('\n'),
    fittedPicture: (image: AnswerOf<typeof imageToBase64>, target: string) =>
      `The image for ${target.replace('_', ' ')}: ${describeImage(image)}`,
  },

  parse: {
    summary: (parsed: AnswerOf<typeof parseArgs>) =>
      [
        `### ${parsed.command === null ? 'No command in this line' : `Command ${shown(parsed.command)}`}`,
        `**User** ${parsed.user === null ? 'none' : `${shown(parsed.user)}${parsed.user_id === null ? '' : ` <@${parsed.user_id}>`}`}`,
        ...(parsed.channel_id === null ? [] : [`**Channel** <#${parsed.channel_id}>`]),
        ...(parsed.role_id === null ? [] : [`**Role** <@&${parsed.role_id}>`]),
        `**Time** ${describeTime(parsed)}`,
        `**Reason** ${parsed.reason === null ? 'none' : shown(parsed.reason)}`,
      ].join('\n'),
    answer: '**What the API answers**',
  },
} as const;

type DescribedImage = Pick<
  AnswerOf<typeof imageToBase64>,
  'mime_type' | 'width' | 'height' | 'size' | 'animated'
>;

function describeImage({ mime_type, width, height, size, animated }: DescribedImage): string {
  return `${width} × ${height} pixels, ${size.toLocaleString('en')} bytes, ${mime_type}${animated ? ', animated' : ''}`;
}

/** Most characters of one value in a summary; the answer below it has all. */
const SHOWN_LENGTH_MAX = 200;

function shown(value: string): string {
  return inlineCode(clip(value, SHOWN_LENGTH_MAX));
}

function decodedDetails(answer: AnswerOf<typeof permissionDecoder>): string[] {
  return [
    ...(answer.unknown_bits.length === 0
      ? []
      : [`-# Bits without a known permission: ${answer.unknown_bits.join(', ')}`]),
    ...(answer.added === undefined ? [] : [`**Added** ${listNames(answer.added)}`]),
    ...(answer.removed === undefined ? [] : [`**Removed** ${listNames(answer.removed)}`]),
    ...answer.hints.map((hint) => `-# ${hint}`),
  ];
}

function listNames(names: readonly string[]): string {
  return names.length === 0 ? 'none' : names.map((name) => `\`${name}\``).join(' ');
}

function describeTime(parsed: {
  readonly duration: string | null;
  readonly duration_seconds: number | null;
  readonly permanent: boolean;
  readonly until: number | null;
}): string {
  if (parsed.duration === null) return 'none';
  if (parsed.permanent) return `${shown(parsed.duration)} without end`;
  if (parsed.until !== null) {
    const end = parsed.until * 1_000;
    return `until ${timestamp(end, 'f')} (${timestamp(end, 'R')})`;
  }
  return `${shown(parsed.duration)} ${(parsed.duration_seconds ?? 0).toLocaleString('en')} seconds`;
}
