import { completeXades, stampXades } from '../xades/complete.ts';
import { prepareXades, type XadesState } from '../xades/prepare.ts';
import type { Format } from './format.ts';
import { policyIn } from './options.ts';

/** XML: an enveloped signature over the whole document, or over the element of the options. */
export const xades: Format<XadesState> = {
  async prepare({ file, certificate, chain, signingTimeMs, othersFollow, options }) {
    return prepareXades(await file.read(), {
      certificate,
      chain,
      signingTimeMs,
      // Some verifiers refuse the transform that excludes later signatures: only where others sign too.
      leaveRoom: othersFollow,
      policy: policyIn(options),
      ...options?.xades,
    });
  },
  async complete({ file }, { state, signature, stamp }) {
    const timestampToken = stamp && (await stampXades(state, signature, stamp));
    return completeXades(state, await file.read(), signature, { timestampToken });
  },
};
