/** Hundredths of a second. Browsers and Discord's apps slow down shorter frames. */
const FRAME_MIN = 2;

export interface TimedFrame {
  readonly index: number;
  /** Hundredths of a second, the unit of GIF. */
  readonly delay: number;
}

/**
 * Frames with the delays that a GIF can hold. The next frame makes up for rounding, so that the whole keeps its length.
 * A frame too short for a GIF is left out. The next one takes its time, or at the end the last one that is kept.
 */
export function timeFrames(delaysMs: readonly number[]): TimedFrame[] {
  const frames: TimedFrame[] = [];
  let endMs = 0;
  let shown = 0;
  for (const [index, delayMs] of delaysMs.entries()) {
    endMs += delayMs;
    const delay = Math.round(endMs / 10) - shown;
    const last = frames.at(-1);
    if (delay < FRAME_MIN && last !== undefined) continue;
    frames.push({ index, delay: Math.max(FRAME_MIN, delay) });
    shown += Math.max(FRAME_MIN, delay);
  }
  const last = frames.at(-1);
  const left = Math.round(endMs / 10) - shown;
  if (last !== undefined && left > 0) frames[frames.length - 1] = { ...last, delay: last.delay + left };
  return frames;
}
