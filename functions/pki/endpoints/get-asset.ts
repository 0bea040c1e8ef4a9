import { assetsEndpoint } from '../../../shared/ui/assets-endpoint.ts';
import { pki } from '../service.ts';

export const handler = assetsEndpoint(pki);
