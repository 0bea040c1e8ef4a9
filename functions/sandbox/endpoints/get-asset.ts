import { assetsEndpoint } from '../../../shared/ui/assets-endpoint.ts';
import { sandbox } from '../service.ts';

export const handler = assetsEndpoint(sandbox);
