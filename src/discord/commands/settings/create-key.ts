import { BUILDERS, isBuilderId } from '../../../guild-keys/builders.ts';
import type { ExpiresInDays } from '../../../guild-keys/guild-keys.ts';
import { readOperations } from '../../../operations/operation-choice.ts';
import { Problem } from '../../../problem.ts';
import type { CommandCall } from '../command.ts';
import { inlineCode } from '../../messages/markdown.ts';
import type { MessagesReply } from '../../messages/reply.ts';
import type { Services } from '../services.ts';
import { SpokenProblem } from '../../messages/spoken-problem.ts';
import { wordsFor } from '../../locales/words.ts';
import { guildOf } from './find-key.ts';
import { issuedKeyReply } from './issued-key.ts';
import { readOperationsOption } from './operations-option.ts';

export async function createKey(call: CommandCall, services: Services): Promise<MessagesReply> {
  const guildId = guildOf(call);
  requireBot(guildId, services);
  const chosen = call.options.string('builder');
  if (chosen !== null && !isBuilderId(chosen)) throw new Problem('invalid_field', { field: 'builder' });
  const builder = chosen ?? 'code';
  const operations = readOperations(readOperationsOption(call), services.operations);
  const issued = await services.keys.create({
    guildId,
    name: call.options.string('name') ?? '',
    createdBy: call.userId,
    expiresInDays: readExpiry(call.options.integer('expires')),
    flat: BUILDERS[builder].flat,
    always200: BUILDERS[builder].always200,
    builder: chosen,
    operations,
  });
  const heading = wordsFor(call.locale).say('keys.created', { name: inlineCode(issued.entry.name) });
  return issuedKeyReply(
    {
      issued,
      guildId,
      userId: call.userId,
      locale: call.locale,
      builder,
      isChosen: true,
      heading,
      note: null,
      type: 'private',
    },
    services,
  );
}

/** Keys stop when the bot is not in the server, so there is no point in making one. */
export function requireBot(guildId: string, services: Services): void {
  if (!services.isInGuild(guildId)) {
    throw SpokenProblem.of('bad_request', 'bot_not_in_guild', { invite: services.inviteUrl() });
  }
}

function readExpiry(days: number | null): ExpiresInDays {
  return days === 30 || days === 90 || days === 365 ? days : null;
}
