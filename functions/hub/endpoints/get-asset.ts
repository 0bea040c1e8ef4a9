import { assetsEndpoint } from '../../../shared/ui/assets-endpoint.ts';
import { hub } from '../service.ts';

export const handler = assetsEndpoint(hub);
