import { assetsEndpoint } from '../../../shared/ui/assets-endpoint.ts';
import { documents } from '../service.ts';

export const handler = assetsEndpoint(documents);
