/** A bit field of any bits, of none too: the enums of discord-api-types name single bits only. */
export function bitField<Flags extends number>(...bits: readonly Flags[]): Flags {
  return bits.reduce((sum: number, bit) => sum | bit, 0) as Flags;
}
