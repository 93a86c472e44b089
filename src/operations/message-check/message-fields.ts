/** Who sends the message. Discord accepts different fields from each. */
export type Sender = 'bot' | 'webhook' | 'interaction';

/** Applies if a sibling field has one of these values. */
type When = Readonly<Record<string, readonly unknown[]>>;

interface Common {
  /** Discord refuses the object without it, always or under this condition. */
  readonly required?: true | When;
  /** Discord refuses the field under this condition. */
  readonly excluded?: When;
  /** Default: all. */
  readonly senders?: readonly Sender[];
}

/** A string, measured in code points. */
interface TextSpec extends Common {
  readonly type: 'text';
  readonly max: number;
  /** 1: may not be empty. Default: may be empty. */
  readonly min?: 1;
  /** Discord trims the text before it counts. */
  readonly trims?: true;
  /** Discord refuses an empty text, which means the same as none. */
  readonly isLeftOutWhenEmpty?: true;
  readonly takesIntegers?: true;
}

interface UrlSpec extends Common {
  readonly type: 'url';
  readonly max: number;
  readonly schemes: readonly string[];
}

/** A whole number. */
interface IntegerSpec extends Common {
  readonly type: 'integer' | 'color';
  readonly min?: number;
  readonly max?: number;
}

interface ChoiceSpec extends Common {
  readonly type: 'choice';
  /** Discord's values by their names in libraries. */
  readonly choices: Readonly<Record<string, number | string>>;
}

interface OtherSpec extends Common {
  readonly type: 'boolean' | 'id' | 'time' | 'flags' | 'ignored' | 'any';
}

/** A field whose value is neither an object nor a list. */
export type ValueSpec = TextSpec | UrlSpec | IntegerSpec | ChoiceSpec | OtherSpec;

interface ObjectSpec extends Common {
  readonly type: 'object';
  /** A key of `SHAPES`. */
  readonly shape: string;
}

/** A component of one of these shapes. */
interface ComponentSpec extends Common {
  readonly type: 'component';
  readonly shapes: readonly string[];
}

interface ListSpec extends Common {
  readonly type: 'list';
  readonly of: FieldSpec;
  readonly min?: 1;
  /** Default: only the total of all components is limited. */
  readonly max?: number;
  /** Discord refuses duplicates. */
  readonly isUnique?: true;
}

export type FieldSpec = ValueSpec | ObjectSpec | ComponentSpec | ListSpec;
export type FieldSpecOf<Type extends FieldSpec['type']> = Extract<FieldSpec, { readonly type: Type }>;

type FieldSpecs = Readonly<Record<string, FieldSpec>>;

interface Shape {
  /** Its names in Discord's OpenAPI document. A test compares the limits. */
  readonly schemas: readonly string[];
  readonly fields: FieldSpecs;
  /** The key that people mean when they write a text instead of the object. */
  readonly textKey?: string;
}

type OtherOptions<P extends FieldSpec, Given extends string> = Partial<Omit<P, Given | 'type'>>;

const text = (max: number, more: OtherOptions<TextSpec, 'max'> = {}): FieldSpec => ({
  type: 'text',
  max,
  ...more,
});
const url = (max: number, more: OtherOptions<UrlSpec, 'max'> = {}): FieldSpec => ({
  type: 'url',
  max,
  schemes: WEB,
  ...more,
});
const integer = (min: number, max?: number): FieldSpec =>
  max === undefined ? { type: 'integer', min } : { type: 'integer', min, max };
const choice = (choices: ChoiceSpec['choices'], more: Common = {}): FieldSpec => ({
  type: 'choice',
  choices,
  ...more,
});
const words = (...names: readonly string[]) => Object.fromEntries(names.map((name) => [name, name]));
const object = (name: string, more: Common = {}): FieldSpec => ({ type: 'object', shape: name, ...more });
const list = (max: number, of: FieldSpec, more: OtherOptions<ListSpec, 'max' | 'of'> = {}): FieldSpec => ({
  type: 'list',
  max,
  of,
  ...more,
});
const components = (max: number, ...shapes: readonly string[]): FieldSpec =>
  list(max, { type: 'component', shapes }, FILLED);

const shape = (schema: string, fields: FieldSpecs): Shape => ({ schemas: [schema], fields });
const textShape = (schema: string, textKey: string, fields: FieldSpecs): Shape => ({
  schemas: [schema],
  fields,
  textKey,
});
const component = (name: keyof typeof COMPONENT_TYPES, schema: string, fields: FieldSpecs): Shape =>
  shape(`${schema}ForMessageRequest`, {
    type: choice({ [name]: COMPONENT_TYPES[name] }, REQUIRED),
    id: integer(0),
    ...fields,
  });
const select = (name: keyof typeof COMPONENT_TYPES, schema: string, fields: FieldSpecs): Shape =>
  component(name, schema, {
    custom_id: text(100, FILLED),
    placeholder: text(150),
    min_values: integer(0, 25),
    max_values: integer(1, 25),
    disabled: BOOLEAN,
    required: BOOLEAN,
    ...fields,
  });
const defaultValue = (schemas: readonly string[], ...kinds: readonly string[]): Shape => ({
  schemas,
  fields: { id: { type: 'id', ...REQUIRED }, type: choice(words(...kinds), REQUIRED) },
});

const BOOLEAN: FieldSpec = { type: 'boolean' };
const ID: FieldSpec = { type: 'id' };
const IGNORED: FieldSpec = { type: 'ignored' };
const ANY: FieldSpec = { type: 'any' };
const COLOR: FieldSpec = { type: 'color', min: 0, max: 0xff_ff_ff };
const REQUIRED = { required: true } as const;
const FILLED = { required: true, min: 1 } as const;
const TRIMS = { trims: true } as const;
const BY_BOT = { senders: ['bot'] } as const;
const BY_WEBHOOK = { senders: ['webhook'] } as const;
const WEB = ['http', 'https'];
const OR_UPLOAD = { schemes: [...WEB, 'attachment'] };

/** Component types in messages. The names are those of `SHAPES`, and of libraries in any spelling. */
export const COMPONENT_TYPES = {
  action_row: 1,
  button: 2,
  string_select: 3,
  user_select: 5,
  role_select: 6,
  mentionable_select: 7,
  channel_select: 8,
  section: 9,
  text_display: 10,
  thumbnail: 11,
  media_gallery: 12,
  file: 13,
  separator: 14,
  container: 17,
};
/** Components that only modals may contain. */
export const MODAL_TYPES: readonly unknown[] = [4, 18, 19, 21, 22, 23];
const SELECTS = ['string_select', 'user_select', 'role_select', 'mentionable_select', 'channel_select'];
const BLOCKS = ['action_row', 'section', 'text_display', 'media_gallery', 'file', 'separator'];

const IMAGE: FieldSpecs = {
  url: url(2048, OR_UPLOAD),
  width: IGNORED,
  height: IGNORED,
  placeholder: IGNORED,
  placeholder_version: IGNORED,
  is_animated: IGNORED,
  description: ANY,
};
const MEDIA: FieldSpecs = {
  media: object('media', REQUIRED),
  description: text(1024, { min: 1 }),
  spoiler: BOOLEAN,
};

/**
 * Every field that Discord accepts in a message. Limits match Discord's OpenAPI document where it has one.
 * @see https://docs.discord.com/developers/resources/message#create-message
 * @see https://docs.discord.com/developers/resources/message#embed-object-embed-limits
 * @see https://docs.discord.com/developers/components/reference
 * @see https://docs.discord.com/developers/resources/webhook#execute-webhook
 * @see https://docs.discord.com/developers/resources/poll#poll-create-request-object
 */
export const SHAPES: Readonly<Record<string, Shape>> = {
  message: {
    schemas: ['MessageCreateRequest', 'IncomingWebhookRequestPartial', 'IncomingWebhookInteractionRequest'],
    fields: {
      content: text(2000, TRIMS),
      embeds: list(10, object('embed')),
      allowed_mentions: object('allowed_mentions'),
      components: { type: 'list', of: { type: 'component', shapes: [...BLOCKS, 'container'] } },
      flags: { type: 'flags' },
      attachments: list(10, object('attachment')),
      poll: object('poll'),
      tts: BOOLEAN,
      sticker_ids: list(3, ID, BY_BOT),
      message_reference: object('message_reference', BY_BOT),
      nonce: text(25, { ...BY_BOT, takesIntegers: true }),
      enforce_nonce: { ...BOOLEAN, ...BY_BOT },
      shared_client_theme: { ...ANY, ...BY_BOT },
      username: text(80, { ...BY_WEBHOOK, min: 1, isLeftOutWhenEmpty: true }),
      avatar_url: url(2048, BY_WEBHOOK),
      thread_name: text(100, BY_WEBHOOK),
      applied_tags: list(5, ID, BY_WEBHOOK),
    },
  },
  embed: shape('RichEmbed', {
    title: text(256, TRIMS),
    description: text(4096, TRIMS),
    url: url(2048),
    color: COLOR,
    timestamp: { type: 'time' },
    author: object('embed_author'),
    image: object('embed_image'),
    thumbnail: object('embed_thumbnail'),
    footer: object('embed_footer'),
    fields: list(25, object('embed_field')),
    type: IGNORED,
    provider: IGNORED,
    video: IGNORED,
  }),
  embed_field: shape('RichEmbedField', {
    name: text(256, { ...FILLED, ...TRIMS }),
    value: text(1024, { ...FILLED, ...TRIMS }),
    inline: BOOLEAN,
  }),
  embed_author: textShape('RichEmbedAuthor', 'name', {
    name: text(256, TRIMS),
    url: url(2048),
    icon_url: url(2048, OR_UPLOAD),
  }),
  embed_footer: textShape('RichEmbedFooter', 'text', {
    text: text(2048, TRIMS),
    icon_url: url(2048, OR_UPLOAD),
  }),
  embed_image: textShape('RichEmbedImage', 'url', IMAGE),
  embed_thumbnail: textShape('RichEmbedThumbnail', 'url', IMAGE),
  allowed_mentions: shape('MessageAllowedMentionsRequest', {
    parse: list(3, choice(words('users', 'roles', 'everyone')), { isUnique: true }),
    users: list(100, ID, { isUnique: true }),
    roles: list(100, ID, { isUnique: true }),
    replied_user: BOOLEAN,
  }),
  message_reference: shape('MessageReferenceRequest', {
    message_id: { ...ID, ...REQUIRED },
    channel_id: { ...ID, required: { type: [1] } },
    guild_id: ID,
    fail_if_not_exists: BOOLEAN,
    type: choice({ Default: 0, Forward: 1 }),
  }),
  attachment: shape('MessageAttachmentRequest', {
    id: { ...ID, ...REQUIRED },
    filename: text(1024, { min: 1 }),
    description: text(1024),
    duration_secs: ANY,
    waveform: text(400),
    title: text(1024),
    is_spoiler: BOOLEAN,
    is_remix: BOOLEAN,
  }),
  poll: shape('PollCreateRequest', {
    question: object('poll_question', REQUIRED),
    answers: list(10, object('poll_answer'), FILLED),
    allow_multiselect: BOOLEAN,
    layout_type: choice({ Default: 1 }),
    duration: integer(1, 768),
  }),
  poll_question: textShape('PollMedia', 'text', { text: text(300, FILLED), emoji: ANY }),
  poll_answer: textShape('PollAnswerCreateRequest', 'poll_media', {
    poll_media: object('poll_media', REQUIRED),
  }),
  poll_media: textShape('PollMediaCreateRequest', 'text', {
    text: text(55, { min: 1 }),
    emoji: object('emoji'),
  }),
  emoji: {
    schemas: ['ComponentEmojiForRequest', 'PollEmojiCreateRequest'],
    fields: { id: ID, name: text(32), animated: BOOLEAN },
  },
  action_row: component('action_row', 'ActionRowComponent', {
    components: components(5, 'button', ...SELECTS),
  }),
  button: component('button', 'ButtonComponent', {
    style: choice({ Primary: 1, Secondary: 2, Success: 3, Danger: 4, Link: 5, Premium: 6 }, REQUIRED),
    custom_id: text(100, { min: 1, required: { style: [1, 2, 3, 4] }, excluded: { style: [5, 6] } }),
    url: url(512, {
      schemes: [...WEB, 'discord'],
      required: { style: [5] },
      excluded: { style: [1, 2, 3, 4, 6] },
    }),
    sku_id: { ...ID, required: { style: [6] }, excluded: { style: [1, 2, 3, 4, 5] } },
    label: text(80, { excluded: { style: [6] } }),
    emoji: object('emoji', { excluded: { style: [6] } }),
    disabled: BOOLEAN,
  }),
  string_select: select('string_select', 'StringSelectComponent', {
    options: list(25, object('select_option'), FILLED),
  }),
  select_option: shape('StringSelectOptionForRequest', {
    label: text(100, FILLED),
    value: text(100, FILLED),
    description: text(100),
    default: BOOLEAN,
    emoji: object('emoji'),
  }),
  user_select: select('user_select', 'UserSelectComponent', {
    default_values: list(25, object('default_user')),
  }),
  role_select: select('role_select', 'RoleSelectComponent', {
    default_values: list(25, object('default_role')),
  }),
  mentionable_select: select('mentionable_select', 'MentionableSelectComponent', {
    default_values: list(25, object('default_user_or_role')),
  }),
  channel_select: select('channel_select', 'ChannelSelectComponent', {
    default_values: list(25, object('default_channel')),
    channel_types: ANY,
  }),
  default_user: defaultValue(['UserSelectDefaultValue'], 'user'),
  default_role: defaultValue(['RoleSelectDefaultValue'], 'role'),
  default_user_or_role: defaultValue([], 'user', 'role'),
  default_channel: defaultValue(['ChannelSelectDefaultValue'], 'channel'),
  section: component('section', 'SectionComponent', {
    components: components(3, 'text_display'),
    accessory: { type: 'component', shapes: ['button', 'thumbnail'], ...REQUIRED },
  }),
  text_display: component('text_display', 'TextDisplayComponent', { content: text(4000, FILLED) }),
  thumbnail: component('thumbnail', 'ThumbnailComponent', MEDIA),
  media_gallery: component('media_gallery', 'MediaGalleryComponent', {
    items: list(10, object('gallery_item'), FILLED),
  }),
  gallery_item: shape('MediaGalleryItemRequest', MEDIA),
  media: textShape('UnfurledMediaRequest', 'url', { url: url(2048, { ...REQUIRED, ...OR_UPLOAD }) }),
  file: component('file', 'FileComponent', { file: object('file_media', REQUIRED), spoiler: BOOLEAN }),
  file_media: textShape('UnfurledMediaRequestWithAttachmentReferenceRequired', 'url', {
    url: url(2048, { ...REQUIRED, schemes: ['attachment'] }),
  }),
  separator: component('separator', 'SeparatorComponent', {
    spacing: choice({ Small: 1, Large: 2 }),
    divider: BOOLEAN,
  }),
  container: component('container', 'ContainerComponent', {
    accent_color: COLOR,
    components: components(40, ...BLOCKS),
    spoiler: BOOLEAN,
  }),
};

/** Other names that people use for Discord's fields, by shape. */
export const ALIASES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  message: { embed: 'embeds', text: 'content' },
  text_display: { text: 'content' },
  embed: { colour: 'color' },
  container: { accentcolour: 'accent_color' },
  poll_answer: { text: 'poll_media' },
};

export function fieldsOf(name: string): FieldSpecs {
  return SHAPES[name]?.fields ?? {};
}

/** Limits of the whole message. */
export const MESSAGE_LIMITS = {
  embedCharactersMax: 6000,
  rowsMax: 5,
  componentsMax: 40,
  displayCharactersMax: 4000,
  /** Bytes of UTF-8. Measured: above this, Discord answers 500. Each text display adds `displayOverheadBytes`. */
  displayBytesMax: 10_170,
  displayOverheadBytes: 12,
};

/**
 * The flags that Discord takes in a message.
 * @see https://docs.discord.com/developers/resources/message#message-object-message-flags
 */
export const FLAGS = {
  SuppressEmbeds: 4,
  Ephemeral: 64,
  SuppressNotifications: 4096,
  IsVoiceMessage: 8192,
  IsComponentsV2: 32_768,
};

/** Flags that Discord ignores, by sender. */
export const IGNORED_FLAGS: Readonly<Record<Sender, number>> = {
  bot: FLAGS.Ephemeral,
  webhook: FLAGS.Ephemeral | FLAGS.IsVoiceMessage,
  interaction: 0,
};
