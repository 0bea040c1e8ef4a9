import { completeXades, stampXades } from '../xades/complete.ts';
import { prepareXades, type XadesState } from '../xades/prepare.ts';
import type { Format } from './format.ts';

/** XML: over the whole document, inside it. */
export const xades: Format<XadesState> = {
  async prepare({ file, certificate, chain, signingTimeMs, othersFollow }) {
    // Only where others are to sign the same: the transform for it is one that some verifiers refuse.
    return prepareXades(await file.read(), { certificate, chain, signingTimeMs, leaveRoom: othersFollow });
  },
  async complete({ file }, { state, signature, stamp }) {
    const timestampToken = stamp && (await stampXades(state, signature, stamp));
    return completeXades(state, await file.read(), signature, { timestampToken });
  },
};
