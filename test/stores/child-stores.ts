import { useStores } from '../../infra/local/stores/endpoints.ts';

// First import of a child process of a test: the stores of its parent.
useStores(process.env as Record<string, string>);
