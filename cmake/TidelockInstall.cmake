# placeholder replaced by the install rules
