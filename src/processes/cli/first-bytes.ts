/** Reads the first bytes of a stream and discards the rest, so that the writer does not get a broken pipe. */
export async function firstBytes(stream: AsyncIterable<Buffer | string>, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream) {
    const bytes = Buffer.from(chunk as Buffer).subarray(0, maxBytes - size);
    size += bytes.length;
    if (bytes.length > 0) chunks.push(bytes);
  }
  return Buffer.concat(chunks);
}
