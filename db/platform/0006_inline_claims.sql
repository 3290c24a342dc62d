-- Without a setting of their own these functions dissolve into the statement that calls them. Their
-- bodies were resolved when they were created, so a caller's search path cannot change their meaning.
alter function auth.jwt() reset search_path;
alter function auth.uid() reset search_path;
alter function auth.role() reset search_path;
alter function auth.email() reset search_path;
