/** A piece of a drawn message: a text, or an element with its content. */
export type MessagePart =
  | string
  | {
      readonly tag: string;
      readonly attributes: Readonly<Record<string, string>>;
      readonly children: readonly MessagePart[];
    };

export declare function readMessage(text: string): MessagePart[];
