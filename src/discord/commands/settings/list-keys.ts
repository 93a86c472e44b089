import { time, type APIComponentInContainer, type BaseInteraction } from 'discord.js';

import type { CommandContext, ComponentAction } from '../command.ts';
import { commandBody } from '../command-of.ts';
import { keyBuilderOf, readKeyBuilder } from '../../../recipes/builders.ts';
import { endOf } from '../../../guild-keys/find-keys.ts';
import { CURRENT_KEYS_MAX, type KeyEntry } from '../../../guild-keys/guild-keys.ts';
import { ACCENT, button, container, encodeCustomId, row, text } from '../../messages/components.ts';
import { inlineCode } from '../../messages/markdown.ts';
import { privately, updating, type ComponentsMessage } from '../../messages/reply.ts';
import { translatorFor, type Translator } from '../../locales/translator.ts';
import { guildOf } from '../permitted.ts';
import { isWorking, MANAGE_KEYS } from './find-key.ts';
import { describeExpiry } from './issued-key.ts';

/** So many keys fit the 4,000 characters of a message, whatever their names are and however many operations they list. */
const PAGE_LENGTH = 5;
/** Keys that no longer work, the latest ones. Their lines have to fit the message too. */
const ENDED_SHOWN = 8;

export const listKeys = commandBody({
  async run(_given, interaction, context) {
    return privately(await keyListMessage(interaction, context, 0, null));
  },
});

/**
 * @param page from 0
 * @param notice says what was just done
 */
export async function keyListMessage(
  interaction: BaseInteraction,
  context: CommandContext,
  page: number,
  notice: string | null,
): Promise<ComponentsMessage> {
  const guildId = guildOf(interaction);
  const translator = translatorFor(interaction.locale);
  const [entries, lastUsed] = await Promise.all([
    context.keys.list(guildId),
    context.usage.lastUsed(guildId),
  ]);
  const working = entries.filter((entry) => isWorking(entry));
  const current = working.filter(({ state }) => state === 'current').length;
  const pageLast = Math.max(0, Math.ceil(working.length / PAGE_LENGTH) - 1);
  const shown = Math.min(page, pageLast);
  const id = (action: string, argument: string) =>
    encodeCustomId({ action, userId: interaction.user.id, argument });

  const parts: APIComponentInContainer[] = [
    text(
      [
        ...(notice === null ? [] : [notice]),
        translator.translate('keys.heading', { current, max: CURRENT_KEYS_MAX }),
      ].join('\n'),
    ),
  ];
  if (working.length === 0) {
    parts.push(text(translator.translate('keys.none', { create: context.mention('settings key create') })));
  }
  for (const entry of working.slice(shown * PAGE_LENGTH, (shown + 1) * PAGE_LENGTH)) {
    parts.push(text(describeEntry(entry, lastUsed.get(entry.keyId) ?? null, translator)));
    parts.push(
      row(
        ...(entry.state === 'current'
          ? [button('Secondary', translator.translate('keys.rotate'), id('key-rotate', entry.keyId))]
          : []),
        button('Danger', translator.translate('keys.revoke'), id('key-revoke', entry.keyId)),
      ),
    );
  }
  const ended = describeEnded(
    entries.filter((entry) => !isWorking(entry)),
    translator,
  );
  if (ended !== null) parts.push(text(ended));
  if (pageLast > 0) {
    parts.push(
      row(
        {
          ...button('Secondary', translator.translate('keys.newer'), id('key-list', String(shown - 1))),
          disabled: shown === 0,
        },
        {
          ...button('Secondary', translator.translate('keys.older'), id('key-list', String(shown + 1))),
          disabled: shown === pageLast,
        },
      ),
    );
  }
  return { components: [container(ACCENT.neutral, ...parts)] };
}

function describeEntry(entry: KeyEntry, lastUsedAt: number | null, translator: Translator): string {
  const { name, publicPart, state, operations, createdBy } = entry;
  const builder = readKeyBuilder(entry.builder);
  const facts = [
    `**${inlineCode(name)}**`,
    inlineCode(publicPart),
    ...(state === 'replaced' ? [translator.translate('keys.replaced')] : []),
    ...(builder === null ? [] : [keyBuilderOf(builder).label]),
    ...describeAnswers(entry, translator),
    ...(operations === null
      ? []
      : [translator.translate('keys.onlyFor', { operations: translator.list(operations) })]),
  ];
  const history = [
    translator.translate('keys.madeBy', {
      who: createdBy === 'cli' ? translator.translate('keys.commandLine') : `<@${createdBy}>`,
      at: time(new Date(entry.createdAt), 'R'),
    }),
    lastUsedAt === null
      ? translator.translate('keys.neverUsed')
      : translator.translate('keys.lastUsed', { at: time(new Date(lastUsedAt), 'R') }),
    describeExpiry(entry.expiresAt, translator),
  ];
  return [facts.join(' · '), history.join(' · ')].join('\n');
}

/** The form of the answers, where it is not the usual one, and why if the builder of the key needs it. */
function describeAnswers({ flat, always200, builder }: KeyEntry, translator: Translator): readonly string[] {
  const forms = [
    ...(flat ? [translator.translate('keys.flat')] : []),
    ...(always200 ? [translator.translate('keys.always200')] : []),
  ];
  if (forms.length === 0) return [];
  const id = readKeyBuilder(builder);
  const needs = id === null ? null : keyBuilderOf(id);
  return needs?.flat === flat && needs.always200 === always200
    ? [translator.translate('keys.needed', { answers: translator.list(forms) })]
    : forms;
}

function describeEnded(ended: readonly KeyEntry[], translator: Translator): string | null {
  if (ended.length === 0) return null;
  const latest = ended.toSorted((one, other) => endOf(other) - endOf(one)).slice(0, ENDED_SHOWN);
  const lines = latest.map((entry) =>
    translator.translate(entry.revokedAt === null ? 'keys.expiredAt' : 'keys.revokedAt', {
      key: `${inlineCode(entry.name)} ${inlineCode(entry.publicPart)}`,
      at: time(new Date(endOf(entry)), 'R'),
    }),
  );
  return [translator.translate('keys.ended', { n: ended.length }), ...lines].join('\n');
}

export const showKeyListPage: ComponentAction = {
  action: 'key-list',
  permission: MANAGE_KEYS,
  defer: 'update',
  bucket: null,
  async run(interaction, argument, context) {
    const page = Math.max(0, Number(argument) || 0);
    return updating(await keyListMessage(interaction, context, page, null));
  },
};
