import {
  ApplicationCommandType,
  ComponentType,
  InteractionType,
  Locale,
  type APIInteraction,
} from 'discord.js';

/** Discord's limit where an interaction does not say it. */
const ATTACHMENT_BYTES = 10 * 1024 * 1024;

/** The name of a command, or the custom id, of an interaction that names none. */
export const NOTHING_USED = '';

const NOTHING = { id: '0', name: NOTHING_USED, type: ApplicationCommandType.ChatInput };
const EMPTY_DATA = {
  [InteractionType.ApplicationCommand]: NOTHING,
  [InteractionType.ApplicationCommandAutocomplete]: NOTHING,
  [InteractionType.MessageComponent]: { custom_id: NOTHING_USED, component_type: ComponentType.Button },
  [InteractionType.ModalSubmit]: { custom_id: NOTHING_USED, components: [] },
  [InteractionType.Ping]: {},
} as const;

/** An interaction with what discord.js reads without asking whether it is there. Other servers leave some of it out. */
export function fillIn(interaction: APIInteraction): APIInteraction {
  const sent: Omit<Partial<APIInteraction>, 'type'> = interaction;
  const filled = {
    ...interaction,
    data: sent.data ?? EMPTY_DATA[interaction.type],
    entitlements: sent.entitlements ?? [],
    authorizing_integration_owners: sent.authorizing_integration_owners ?? {},
    attachment_size_limit: sent.attachment_size_limit || ATTACHMENT_BYTES,
    locale: ('locale' in sent ? sent.locale : undefined) ?? Locale.EnglishUS,
    ...(interaction.type === InteractionType.MessageComponent
      ? { message: sent.message ?? { id: '0', channel_id: '0' } }
      : {}),
  };
  return filled as APIInteraction;
}
