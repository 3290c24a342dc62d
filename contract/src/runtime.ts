/** What the server writes into the console's documents, so that one build serves every instance. */
export interface RuntimeConfig {
  /** The product's display name. */
  readonly productName: string;
  /** Address of the platform service as browsers see it; '' is the document's own origin. */
  readonly backendUrl: string;
  /** The public anonymous key. */
  readonly anonKey: string;
  /** Changes with each build; a differing value in an answer means that the page is stale. */
  readonly build: string;
  /** Passkeys and security keys are turned on. */
  readonly passkeys: boolean;
}

/** Id of the `<script type="application/json">` element that carries the configuration. */
export const runtimeConfigElementId = 'runtime-config';

/** Header of every answer to the console with the current build. */
export const buildHeader = 'x-build';
