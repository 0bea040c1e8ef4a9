import { assetsEndpoint } from '../../../shared/ui/assets-endpoint.ts';
import { credentials } from '../service.ts';

export const handler = assetsEndpoint(credentials);
