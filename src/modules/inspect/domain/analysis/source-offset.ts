/** Maps a position in the rendered HTML to the position in the stored body that it comes from. */
import { countUpTo } from '../../../../kernel/sorted.js';
import type { SourcePiece } from './analysis.js';

/**
 * The offset in the stored body for an offset in the rendered HTML. Within text, both advance together; every position
 * in a value maps to its expression. A position before the first piece, or without any pieces, maps to the beginning of
 * the body.
 * @param pieces in the order of `rendered`.
 */
export function sourceOffset(pieces: readonly SourcePiece[], rendered: number): number {
  const piece = pieceAt(pieces, rendered);
  if (!piece) return 0;
  return piece.isText ? piece.source + rendered - piece.rendered : piece.source;
}

/** The piece that contains an offset in the rendered HTML; undefined before the first. */
export function pieceAt(pieces: readonly SourcePiece[], rendered: number): SourcePiece | undefined {
  return pieces[countUpTo(pieces, rendered, (piece) => piece.rendered) - 1];
}
