import {
  ButtonStyle,
  ComponentType,
  SeparatorSpacingSize,
  TextInputStyle,
  type APIActionRowComponent,
  type APIButtonComponentWithCustomId,
  type APIButtonComponentWithURL,
  type APIComponentInContainer,
  type APIComponentInMessageActionRow,
  type APIContainerComponent,
  type APIFileComponent,
  type APILabelComponent,
  type APIMediaGalleryComponent,
  type APIModalInteractionResponseCallbackData,
  type APISelectMenuOption,
  type APISeparatorComponent,
  type APIStringSelectComponent,
  type APITextDisplayComponent,
} from 'discord-api-types/v10';

// Message components of the second version: https://discord.com/developers/docs/components/reference

/** Colours for the edge of a container. */
export const ACCENT = { neutral: 0x5865f2, good: 0x3ba55d, caution: 0xfaa61a, bad: 0xed4245 } as const;

export function text(content: string): APITextDisplayComponent {
  return { type: ComponentType.TextDisplay, content };
}

export function container(
  accent: number,
  ...components: readonly APIComponentInContainer[]
): APIContainerComponent {
  return { type: ComponentType.Container, accent_color: accent, components: [...components] };
}

export function separator(): APISeparatorComponent {
  return { type: ComponentType.Separator, divider: true, spacing: SeparatorSpacingSize.Small };
}

/** @param name of a file that is sent with the message */
export function file(name: string): APIFileComponent {
  return { type: ComponentType.File, file: { url: `attachment://${name}` } };
}

/**
 * @param name of a picture that is sent with the message
 * @param description what it shows, for people who cannot see it; at most 1,024 characters
 */
export function picture(name: string, description: string): APIMediaGalleryComponent {
  return {
    type: ComponentType.MediaGallery,
    items: [{ media: { url: `attachment://${name}` }, description }],
  };
}

export function row(
  ...components: readonly APIComponentInMessageActionRow[]
): APIActionRowComponent<APIComponentInMessageActionRow> {
  return { type: ComponentType.ActionRow, components: [...components] };
}

const BUTTON_STYLES = {
  primary: ButtonStyle.Primary,
  secondary: ButtonStyle.Secondary,
  success: ButtonStyle.Success,
  danger: ButtonStyle.Danger,
} as const;

export function button(
  style: keyof typeof BUTTON_STYLES,
  label: string,
  customId: string,
): APIButtonComponentWithCustomId {
  return { type: ComponentType.Button, style: BUTTON_STYLES[style], label, custom_id: customId };
}

export function linkButton(label: string, url: string): APIButtonComponentWithURL {
  return { type: ComponentType.Button, style: ButtonStyle.Link, label, url };
}

export function select(
  customId: string,
  placeholder: string,
  options: readonly APISelectMenuOption[],
): APIStringSelectComponent {
  return { type: ComponentType.StringSelect, custom_id: customId, placeholder, options: [...options] };
}

/** A form with one multi-line field. */
export function paragraphModal(options: {
  readonly customId: string;
  readonly title: string;
  readonly label: string;
  readonly fieldId: string;
  readonly placeholder: string;
  /** At most 4,000, Discord's own limit. */
  readonly lengthMax: number;
}): APIModalInteractionResponseCallbackData {
  const label: APILabelComponent = {
    type: ComponentType.Label,
    label: options.label,
    component: {
      type: ComponentType.TextInput,
      custom_id: options.fieldId,
      style: TextInputStyle.Paragraph,
      placeholder: options.placeholder,
      min_length: 1,
      max_length: options.lengthMax,
      required: true,
    },
  };
  return { custom_id: options.customId, title: options.title, components: [label] };
}

/** The custom id of a button, a select or a form, taken apart. Only the user it was made for may use it. */
interface CustomId {
  readonly action: string;
  /** Snowflake of the user for whom it was made. */
  readonly userId: string;
  readonly argument: string;
}

/** Discord's limit for a custom id. */
const CUSTOM_ID_LENGTH_MAX = 100;

export function encodeCustomId(id: CustomId): string {
  const encoded = `${id.action}|${id.userId}|${id.argument}`;
  if (encoded.length > CUSTOM_ID_LENGTH_MAX)
    throw new RangeError('The custom id is longer than Discord takes.');
  return encoded;
}

/** Null for ids that this program did not make. */
export function decodeCustomId(encoded: string): CustomId | null {
  const match = /^([a-z-]+)\|(\d{1,20})\|(.*)$/s.exec(encoded);
  if (match === null) return null;
  const [, action = '', userId = '', argument = ''] = match;
  return { action, userId, argument };
}
