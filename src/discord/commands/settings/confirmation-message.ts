import { ComponentType, type APIComponentInMessageActionRow, type BaseInteraction } from 'discord.js';

import type { ComponentAction } from '../command.ts';
import { ACCENT, button, container, encodeCustomId, row, text } from '../../messages/components.ts';
import { updating, type ComponentsMessage } from '../../messages/reply.ts';
import { translatorFor } from '../../locales/translator.ts';
import { MANAGE_KEYS } from './find-key.ts';
import { keyListMessage } from './list-keys.ts';

/**
 * The question before a key changes, with a button that leads back to the list.
 * @param confirmation a button, or a select whose choice confirms
 */
export function confirmationMessage(
  lines: readonly string[],
  confirmation: APIComponentInMessageActionRow,
  { user, locale }: BaseInteraction,
): ComponentsMessage {
  const customId = encodeCustomId({ action: cancelKeyAction.action, userId: user.id, argument: '' });
  const cancel = button('Secondary', translatorFor(locale).translate('cancel'), customId);
  // A select takes a whole row.
  const rows =
    confirmation.type === ComponentType.Button
      ? [row(confirmation, cancel)]
      : [row(confirmation), row(cancel)];
  return { components: [container(ACCENT.caution, text(lines.join('\n')), ...rows)] };
}

export const cancelKeyAction: ComponentAction = {
  action: 'key-cancel',
  permission: MANAGE_KEYS,
  defer: 'update',
  bucket: null,
  async run(interaction, _argument, context) {
    return updating(
      await keyListMessage(
        interaction,
        context,
        0,
        translatorFor(interaction.locale).translate('keys.unchanged'),
      ),
    );
  },
};
