import { completeXades, stampXades } from '../../../../../shared/signing/xades/complete.ts';
import { prepareXades, type XadesState } from '../../../../../shared/signing/xades/prepare.ts';
import { type Flow, kindOf } from '../../flow/flow.ts';
import { readNewest } from '../newest-file.ts';
import type { Format } from './format.ts';

/** XML: over the whole document, inside it. */
export const xades: Format<XadesState> = {
  async prepare({ document, certificate, chain, signingTimeMs }) {
    const bytes = await readNewest(document);
    const leaveRoom = signaturesAsked(document.flow) > 1;
    return prepareXades(bytes, { certificate, chain, signingTimeMs, leaveRoom });
  },
  async complete({ document }, { state, signature, stamp }) {
    const timestampToken = stamp && (await stampXades(state, signature, stamp));
    return completeXades(state, await readNewest(document), signature, { timestampToken });
  },
};

// Only where others are to sign the same: the transform for it is one that some verifiers refuse.
const signaturesAsked = (flow: Flow): number =>
  flow.filter((action) => kindOf(action) === 'signature').reduce((sum, { required }) => sum + required, 0);
