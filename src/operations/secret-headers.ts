import type { ProblemTextKey } from '../kernel/problem.ts';
import type { SecretHeader } from './operation.ts';

/** The facts in documents and forms about a header that carries one of Discord's secrets. */
export interface SecretHeaderFacts {
  /** Markdown: what it is, where to find it, and how the service uses it. */
  readonly description: string;
  /** For language models, which cannot set it. */
  readonly forTools: string;
  /** True when the operation needs it. */
  readonly isRequired: boolean;
  /** The length of its value, in UTF-16 code units. */
  readonly lengthMin: number;
  readonly lengthMax: number;
  /** The sentence that refuses it as a field. */
  readonly asField: ProblemTextKey;
  /** Example code reads it from this environment variable. */
  readonly variable: string;
}

/** A bot's token without `Bot ` in front, in UTF-16 code units. */
export const TOKEN_LENGTH = { min: 50, max: 1_024 };

export const SECRET_HEADERS: Readonly<Record<SecretHeader, SecretHeaderFacts>> = {
  Token: {
    description:
      "Your bot's token, with or without `Bot ` in front, for servers other than that of your key. It is never logged or stored.",
    forTools:
      'A bot token, where one is needed, comes in the header `Token`, which the user sets: it is not an argument.',
    isRequired: false,
    lengthMin: TOKEN_LENGTH.min,
    lengthMax: 'Bot '.length + TOKEN_LENGTH.max,
    asField: 'invalid_field/token',
    variable: 'DISCORD_TOKEN',
  },
  Webhook: {
    description:
      'The URL of a webhook of the server of your key, as Discord copies it (*settings of the channel > Integrations > Webhooks > Copy Webhook URL*), or `<id>/<token>`. Anyone who has it can post, so it is never logged or stored.',
    forTools: 'The webhook comes in the header `Webhook`, which the user sets: it is not an argument.',
    isRequired: true,
    // From `<id>/<token>` of 17 digits and 60 characters to a URL with a thread and a query.
    lengthMin: 78,
    lengthMax: 300,
    asField: 'invalid_field/webhook',
    variable: 'QUARTERMASTER_WEBHOOK',
  },
};
