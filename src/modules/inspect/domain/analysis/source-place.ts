/** From a place in the rendered HTML to the place in the stored body that it comes from. */
import { countUpTo } from '../../../../kernel/sorted.js';
import type { SourcePiece } from './analysis.js';

/**
 * The offset in the stored body of what stands at an offset in the rendered HTML: within text the two run on side by
 * side, all of a value stands where its expression does. What stands before the first piece, or where there are none,
 * counts as the beginning of the body.
 * @param pieces in the order of `rendered`.
 */
export function sourceOffset(pieces: readonly SourcePiece[], rendered: number): number {
  const piece = pieceAt(pieces, rendered);
  if (!piece) return 0;
  return piece.isText ? piece.source + rendered - piece.rendered : piece.source;
}

/** The piece that stands at an offset in the rendered HTML; none before the first. */
export function pieceAt(pieces: readonly SourcePiece[], rendered: number): SourcePiece | undefined {
  return pieces[countUpTo(pieces, rendered, (piece) => piece.rendered) - 1];
}
