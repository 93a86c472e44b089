import type { ChatInputCommandInteraction } from 'discord.js';

import { BUILDERS, isBuilderId } from '../../../guild-keys/builders.ts';
import type { ExpiresInDays } from '../../../guild-keys/guild-keys.ts';
import { readOperations } from '../../../operations/operation-choice.ts';
import { Problem } from '../../../problem.ts';
import { inlineCode } from '../../messages/markdown.ts';
import type { MessagesReply } from '../../messages/reply.ts';
import type { CommandContext } from '../command.ts';
import { SpokenProblem } from '../../messages/spoken-problem.ts';
import { wordsFor } from '../../locales/words.ts';
import { guildOf } from './find-key.ts';
import { issuedKeyReply } from './issued-key.ts';
import { readOperationsOption } from './operations-option.ts';

export async function createKey(
  interaction: ChatInputCommandInteraction,
  context: CommandContext,
): Promise<MessagesReply> {
  const guildId = guildOf(interaction);
  requireBot(guildId, context);
  const chosen = interaction.options.getString('builder');
  if (chosen !== null && !isBuilderId(chosen)) throw new Problem('invalid_field', { field: 'builder' });
  const builder = chosen ?? 'code';
  const operations = readOperations(readOperationsOption(interaction), context.operations);
  const issued = await context.keys.create({
    guildId,
    name: interaction.options.getString('name') ?? '',
    createdBy: interaction.user.id,
    expiresInDays: readExpiry(interaction.options.getInteger('expires')),
    flat: BUILDERS[builder].flat,
    always200: BUILDERS[builder].always200,
    builder: chosen,
    operations,
  });
  const heading = wordsFor(interaction.locale).say('keys.created', { name: inlineCode(issued.entry.name) });
  return issuedKeyReply(
    {
      issued,
      guildId,
      userId: interaction.user.id,
      locale: interaction.locale,
      builder,
      isChosen: true,
      heading,
      note: null,
      type: 'private',
    },
    context,
  );
}

/** Keys stop when the bot is not in the server, so there is no point in making one. */
export function requireBot(guildId: string, context: CommandContext): void {
  if (!context.isInGuild(guildId)) {
    throw SpokenProblem.of('bad_request', 'bot_not_in_guild', { invite: context.inviteUrl() });
  }
}

function readExpiry(days: number | null): ExpiresInDays {
  return days === 30 || days === 90 || days === 365 ? days : null;
}
