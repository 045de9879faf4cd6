/** The beginning of a stream, which is read to its end: whoever writes it is not cut off. */
export async function firstBytes(stream: AsyncIterable<Buffer | string>, most: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream) {
    const bytes = Buffer.from(chunk as Buffer).subarray(0, most - size);
    size += bytes.length;
    if (bytes.length > 0) chunks.push(bytes);
  }
  return Buffer.concat(chunks);
}
