import { open } from 'node:fs/promises';
import { formatOfBytes, LOOKED_AT_BYTES } from '../../shared/signing/format.ts';
import type { Format } from './options.ts';

/** The format that suits what a file holds. @example await formatOf('report.pdf') // 'pades' */
export async function formatOf(file: string): Promise<Format> {
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(LOOKED_AT_BYTES), 0, LOOKED_AT_BYTES, 0);
    return formatOfBytes(buffer.subarray(0, bytesRead));
  } finally {
    await handle.close();
  }
}
