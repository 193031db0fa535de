int waxwing_x(void);
