-- Indexes of the users of a sign-in in progress. Every revocation of sessions deletes the flows of the user, and clients
-- without an account can fill the table through /authorize. The flows of such clients have no user, so the indexes are
-- partial.
create index flow_state_user_id_idx on auth.flow_state (user_id) where user_id is not null;
create index flow_state_linking_target_id_idx on auth.flow_state (linking_target_id) where linking_target_id is not null;
