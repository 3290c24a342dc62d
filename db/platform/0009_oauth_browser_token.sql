-- SHA-256 of the one-time token that the browser of an OAuth flow must bring next: to go on to the provider, or to
-- confirm the linking of an identity. Null while the provider's response is awaited.
alter table auth.flow_state add column browser_token_hash bytea unique;
