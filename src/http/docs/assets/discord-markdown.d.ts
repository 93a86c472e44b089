/** What is drawn of a message: a text, or an element with what is in it. */
export type MessagePart =
  | string
  | {
      readonly tag: string;
      readonly attributes: Readonly<Record<string, string>>;
      readonly children: readonly MessagePart[];
    };

export declare function readMessage(text: string): MessagePart[];
