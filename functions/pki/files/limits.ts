import { settings } from '../settings.ts';

/** The largest file that is signed. */
export const maxFileBytes = (): number => settings['SignatureSessions:MaxDocumentBytes'];

/** A file in JSON: base64 takes four bytes for three, and something stands around it. */
export const maxFileJsonBytes = (): number => Math.ceil(maxFileBytes() / 3) * 4 + 131_072;
