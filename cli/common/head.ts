import { LOOKED_AT_BYTES } from '../../shared/signing/format.ts';
import { needFile } from './named-file.ts';

/** As much of a file as tells what it is. */
export const headOf = (file: string, option?: string): Buffer =>
  needFile(file, { headBytes: LOOKED_AT_BYTES, ...(option && { option }) });
