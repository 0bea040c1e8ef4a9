import { SERVICE_TAG } from '../../../shared/http/reference/tags.ts';
import { SystemInfoModel } from '../files/contract.ts';
import { pki } from '../service.ts';

// Clients of the earlier generation choose their routes by it: from 1.11 on they send files by upload, and one of them draws
// marks only above 1.13.
const PRODUCT_VERSION = '1.14.0';

export const handler = pki.endpoint(
  {
    route: 'GET /Api/System/Info',
    summary: 'The version of the earlier generation that this service speaks',
    description: 'For clients of that generation, which choose their routes by it. Needs no key.',
    tag: SERVICE_TAG,
    answers: { 200: SystemInfoModel },
    access: 'public',
    ignoresUnknownOptions: true,
  },
  async () => ({ productVersion: PRODUCT_VERSION }),
);
