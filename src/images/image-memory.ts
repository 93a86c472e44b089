/**
 * Memory for files under way. What is used again is not left to the garbage collector, which would let several
 * times as much pile up before it looks.
 */
export interface ImageMemory {
  /** Room for one file; holds old bytes. */
  take(): Buffer;
  giveBack(memory: Buffer): void;
  /** Frees what is not in use, at once. */
  shrink(): void;
}

/** @param bytes the largest file; of a new buffer the system makes only those pages real that are written to */
export function createImageMemory(bytes: number): ImageMemory {
  const free: Buffer[] = [];
  return {
    take: () => free.pop() ?? Buffer.allocUnsafeSlow(bytes),
    giveBack: (memory) => void free.push(memory),
    shrink() {
      // Left to the garbage collector, a caller who asks for one image after another makes it run all the time.
      for (const { buffer } of free.splice(0)) if (buffer instanceof ArrayBuffer) buffer.transfer(0);
    },
  };
}
