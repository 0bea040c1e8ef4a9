import { needFile } from '../../infra/named-file.ts';
import { LOOKED_AT_BYTES } from '../../shared/signing/format.ts';

/** As much of a file as tells what it is. */
export const headOf = (file: string, option?: string): Buffer =>
  needFile(file, { headBytes: LOOKED_AT_BYTES, ...(option && { option }) });
