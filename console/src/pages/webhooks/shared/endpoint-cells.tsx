// The cells of an endpoint, in each list of endpoints.
import type { WebhookEndpoint } from '@concord/client';
import { Link } from '@tanstack/react-router';
import type { State } from '#messages/state.ts';
import { environments } from '#messages/webhooks.ts';
import { Faint, MiddleCut, Status } from '#ui/text/text.tsx';

type NameProps = {
  partner: string;
  id: string;
  endpoint: Pick<WebhookEndpoint, 'url' | 'description'>;
  /** False: the caller may not open it. */
  isLink?: boolean;
};
/**
 * The URL above the description. The end of a URL tells endpoints apart, so a long one is cut in the middle.
 */
export function EndpointName({ partner, id, endpoint: { url, description }, isLink = true }: NameProps) {
  const text = <MiddleCut text={url.replace('https://', '')} />;
  return (
    <>
      {isLink ? (
        <Link
          to="/p/$partner/webhooks/endpoints/$endpoint"
          params={{ partner, endpoint: id }}
          title={url}
          aria-label={url}
        >
          {text}
        </Link>
      ) : (
        <span title={url}>{text}</span>
      )}
      {description !== null && (
        <div>
          <Faint>{description}</Faint>
        </div>
      )}
    </>
  );
}

type StateProps = {
  state: State;
  /** A second line, such as the environment. */
  below?: string | false;
};
export const EndpointStatus = ({ state, below = false }: StateProps) => (
  <>
    <Status {...state} />
    {below !== false && (
      <div>
        <Faint>{below}</Faint>
      </div>
    )}
  </>
);

/** Named only where it is unusual. */
export const unlessLive = (environment: WebhookEndpoint['environment']): string | false =>
  environment === 'sandbox' && environments.sandbox;
